import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

/** Something that happened, as the audit log keeps it for ever. */
export interface AuditEvent {
  id: string
  merchantId: string
  type: string
  subject: string
  actor: string
  facts: Readonly<Record<string, unknown>>
  /** By the database's clock. */
  createdAt: Date
}

/** An event at its place in the chain. */
export interface SealedEvent {
  seq: number
  hash: Buffer
  event: AuditEvent
}

/** The end of the chain: how many events it has, and the last one's hash. */
export interface ChainHead {
  length: number
  hash: Buffer
}

/** Before the first event. */
export const BEGINNING: ChainHead = { length: 0, hash: Buffer.alloc(32) }

/**
 * The head after one more event: SHA-256 of the hash before it and of the event with its place, as canonical JSON (RFC 8785).
 * docs/operating.md describes this form for those who verify the chain by other means.
 */
export function linked({ length, hash }: ChainHead, event: AuditEvent): ChainHead {
  const { id, merchantId, type, subject, actor, facts, createdAt } = event
  const place = length + 1
  const content = canonicalize([place, id, merchantId, type, subject, actor, facts, createdAt.toISOString()])
  if (content === undefined) throw new Error(`event ${id} cannot be written as JSON`)
  return { length: place, hash: createHash('sha256').update(hash).update(content).digest() }
}

/** Gives each event its place and hash after `head`. */
export function sealed(head: ChainHead, events: readonly AuditEvent[]): SealedEvent[] {
  let end = head
  return events.map((event) => {
    end = linked(end, event)
    return { seq: end.length, hash: end.hash, event }
  })
}
