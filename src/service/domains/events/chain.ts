import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

/** Something that happened, as it is kept for ever. */
export interface Event {
  id: string
  merchantId: string
  type: string
  subject: string
  actor: string
  facts: Readonly<Record<string, unknown>>
  /** By the database's clock. */
  createdAt: Date
}

/** Where the chain ends: how many events it has, and the last one's hash. */
export interface ChainHead {
  length: number
  hash: Buffer
}

/**
 * The head after one more event: SHA-256 of the hash before it and of the event with its place, as JSON in its canonical
 * form (RFC 8785). docs/operating.md describes this form for those who verify the chain by other means.
 */
export function linked({ length, hash }: ChainHead, event: Event): ChainHead {
  const { id, merchantId, type, subject, actor, facts, createdAt } = event
  const place = length + 1
  const content = canonicalize([place, id, merchantId, type, subject, actor, facts, createdAt.toISOString()])
  if (content === undefined) throw new Error(`event ${id} cannot be written as JSON`)
  return { length: place, hash: createHash('sha256').update(hash).update(content).digest() }
}
