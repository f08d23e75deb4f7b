import { ServiceError } from '../errors.ts'

const WORDS = {
  request:
    'This Idempotency-Key was used for another request. First read what became of that one: under a new key this one is carried out as well.',
  card: 'This Idempotency-Key was used for another card. Make a new key.',
} as const

/** The error of an idempotency key that the merchant used before, for another request or another card. */
export function keyReused(used: keyof typeof WORDS): ServiceError {
  return new ServiceError('idempotency_key_reused', WORDS[used])
}
