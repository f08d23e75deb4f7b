import { createHash, createHmac } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { FastifyRequest } from 'fastify'
import { idempotencyKeyOf } from './idempotency-key.ts'
import { keyReused } from './key-reused.ts'

/** A request that may come again under the same key and is then answered as before (contract §2). */
export interface IdempotentRequest {
  /** The caller's key, within its merchant and route. */
  key: string
  /** Tells the same request from another one under the same key. */
  hash: string
  /** The same, made with the caller's key, which is kept nowhere: nobody can try out against it what a body may hold. */
  keyedHash: string
  /** Both as versions before 1.2 made them: of the text of the address, and of names in the order in which they came. */
  former: { hash: string; keyedHash: string }
}

/**
 * The idempotency key of a request within its merchant and route, as a hash: a merchant may use as a key what may be kept
 * nowhere, such as the card's one-time token. And a hash that tells the same request from another one: by what its address and body
 * mean, whatever their spelling (RFC 8785); no body means what `{}` does. Null when the caller sent no key.
 */
export function idempotentRequestOf(request: FastifyRequest, merchantId: string): IdempotentRequest | null {
  const key = idempotencyKeyOf(request)
  if (key === null) return null
  const route = `${request.method} ${request.routeOptions.url ?? ''}`
  const body = request.body ?? null
  const content = canonicalize([request.params, request.query, body ?? {}])
  if (content === undefined) throw new Error('a request has no canonical form')
  return {
    key: sha256(`${merchantId} ${route} ${key}`, 'hex'),
    ...hashesOf(content, key),
    former: hashesOf(JSON.stringify([request.url, body]), key),
  }
}

function hashesOf(content: string, key: string): { hash: string; keyedHash: string } {
  return {
    hash: sha256(content, 'base64url'),
    keyedHash: createHmac('sha256', key).update(content).digest('base64url'),
  }
}

/** Throws `idempotency_key_reused` where the hash that is kept under the request's key is that of another one. */
export function refuseOtherRequest(kept: string | null, asked: IdempotentRequest): void {
  if (kept !== asked.hash && kept !== asked.former.hash) throw keyReused('request')
}

function sha256(text: string, encoding: 'hex' | 'base64url'): string {
  return createHash('sha256').update(text).digest(encoding)
}
