import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { idempotencyKeyOf } from './idempotency-key.ts'

/**
 * The idempotency key of a request within its merchant and route, and a hash that tells the same request from another
 * one: its address and its body. Null when the caller sent no key.
 */
export function repeatableOf(
  request: FastifyRequest,
  merchantId: string,
): { key: string; hash: string } | null {
  const key = idempotencyKeyOf(request)
  if (key === null) return null
  const route = `${request.method} ${request.routeOptions.url ?? ''}`
  const content = JSON.stringify([request.url, request.body ?? null])
  return {
    key: `${merchantId} ${route} ${key}`,
    hash: createHash('sha256').update(content).digest('base64url'),
  }
}
