import type { FastifyRequest } from 'fastify'
import { holdsCardNumber } from '../../../card/number-in-text.ts'
import { ServiceError } from '../errors.ts'

const acceptable = /^[\x21-\x7e]{1,255}$/
/** Random bytes in hex: one in 100,000 such keys looks like a card number by chance, and none is one. */
const randomHex = /^(?=.*[a-f])[\da-f]{16,}$/i

/**
 * The key under which a request may be repeated: `Idempotency-Key`, alias `x-idempotency-id` (contract §2). It is kept
 * as a hash, from which a card number could be recovered by trying all, so one that holds a card number is refused. So are two
 * different keys: one would count, and the request might come again under the other.
 */
export function idempotencyKeyOf({ headers }: FastifyRequest): string | null {
  const { 'idempotency-key': named, 'x-idempotency-id': aliased } = headers
  if (named !== undefined && aliased !== undefined && named !== aliased) {
    throw new ServiceError('validation_error', 'Send one key, as Idempotency-Key or as x-idempotency-id.')
  }
  const key = named ?? aliased
  if (key === undefined) return null
  if (typeof key !== 'string' || !acceptable.test(key)) {
    throw new ServiceError('validation_error', 'An Idempotency-Key is 1 to 255 visible ASCII characters.')
  }
  if (randomHex.test(key) || !holdsCardNumber(key)) return key
  throw new ServiceError(
    'validation_error',
    'The Idempotency-Key looks like a card number. Nothing was kept; send a random key such as a UUID.',
  )
}
