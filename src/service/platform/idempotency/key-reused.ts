import { ServiceError } from '../errors.ts'

/** The error of an idempotency key that the merchant used before, for another request or another card. */
export function keyReused(used: 'request' | 'card'): ServiceError {
  return new ServiceError(
    'idempotency_key_reused',
    `This Idempotency-Key was used for another ${used}. Make a new key.`,
  )
}
