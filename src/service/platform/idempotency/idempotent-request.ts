import { createHash, createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { idempotencyKeyOf } from './idempotency-key.ts'

/** A request that may come again under the same key and is then answered as before (contract §2). */
export interface IdempotentRequest {
  /** The caller's key, within its merchant and route. */
  key: string
  /** Tells the same request from another one under the same key. */
  hash: string
  /** The same, made with the caller's key, which is kept nowhere: nobody can try out against it what a body may hold. */
  keyedHash: string
}

/**
 * The idempotency key of a request within its merchant and route, as a hash: a merchant may use as a key what may be kept
 * nowhere, such as the card's one-time token. And a hash that tells the same request from another one: its address and its
 * body. Null when the caller sent no key.
 */
export function idempotentRequestOf(request: FastifyRequest, merchantId: string): IdempotentRequest | null {
  const key = idempotencyKeyOf(request)
  if (key === null) return null
  const route = `${request.method} ${request.routeOptions.url ?? ''}`
  const content = JSON.stringify([request.url, request.body ?? null])
  return {
    key: sha256(`${merchantId} ${route} ${key}`, 'hex'),
    hash: sha256(content, 'base64url'),
    keyedHash: createHmac('sha256', key).update(content).digest('base64url'),
  }
}

function sha256(text: string, encoding: 'hex' | 'base64url'): string {
  return createHash('sha256').update(text).digest(encoding)
}
