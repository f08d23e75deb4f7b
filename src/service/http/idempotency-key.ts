import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../errors.ts'

const acceptable = /^[\x21-\x7e]{1,255}$/

/** The key under which a request may be repeated: `Idempotency-Key`, alias `x-idempotency-id` (contract §2). */
export function idempotencyKeyOf({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key'] ?? headers['x-idempotency-id']
  if (key === undefined) return null
  if (typeof key === 'string' && acceptable.test(key)) return key
  throw new ServiceError('validation_error', 'An Idempotency-Key is 1 to 255 visible ASCII characters.')
}
