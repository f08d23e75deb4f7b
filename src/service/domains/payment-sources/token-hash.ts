import { createHash } from 'node:crypto'

/**
 * What is kept of a one-time token, here and with the charges that it paid: its SHA-256 hash. The token is a part of the key
 * that its card is sealed with, so it is kept nowhere. As it has 94 random bits, nobody finds it from its hash.
 */
export function tokenHashOf(token: string): Buffer {
  return hashOf(`payment-source-token:${token}`)
}

/** What is kept of an idempotency key, from which the token of its request is derived. */
export function keyHashOf(idempotencyKey: string): Buffer {
  return hashOf(`tokenise-idempotency-key:${idempotencyKey}`)
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
