import { createHash } from 'node:crypto'

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

/** The head after one more event: SHA-256 of the hash before it and of the event with its place, as JSON. */
export function linked({ length, hash }: ChainHead, event: Event): ChainHead {
  const { id, merchantId, type, subject, actor, facts, createdAt } = event
  const place = length + 1
  const content = [place, id, merchantId, type, subject, actor, sorted(facts), createdAt.toISOString()]
  return { length: place, hash: createHash('sha256').update(hash).update(JSON.stringify(content)).digest() }
}

/** Engines give the names of a JSON object back in orders of their own. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]))
}
