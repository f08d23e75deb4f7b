import { createHmac } from 'node:crypto'
import type { TokeniseRequest } from '../../../contract/api/charges/payment-source-token.ts'
import { ServiceError } from '../../platform/errors.ts'
import { oneTimeTokenOf } from '../../platform/secrets/one-time-token.ts'
import { cardFactsOf } from './card-facts.ts'

interface RepeatableRequest {
  merchantId: string
  idempotencyKey: string
  card: TokeniseRequest
}

const MIN_CHARACTERS = 22

/**
 * Throws `validation_error` for an idempotency key that is too short to be random. The token is derived from it: who could guess
 * the key, and had the disk and the master keys, could find the card by trying numbers and codes.
 */
export function refuseGuessable(idempotencyKey: string): void {
  if (idempotencyKey.length >= MIN_CHARACTERS) return
  throw new ServiceError(
    'validation_error',
    `The Idempotency-Key of a card must be random: a UUID, or ${String(MIN_CHARACTERS)} random characters or more.`,
  )
}

/**
 * The token of a request that may come again: the same each time, so that it need not be kept, and another one when the key
 * or the card is another. HMAC-SHA256 under `secret`, in the form that every token has.
 */
export function deriveToken(secret: Buffer, { merchantId, idempotencyKey, card }: RepeatableRequest): string {
  const { card_name, expire_month, expire_year, holder } = cardFactsOf(card)
  const facts = [card_name, expire_month, expire_year, holder, card.card_number, card.card_ccv]
  const content = JSON.stringify([merchantId, idempotencyKey, ...facts])
  return oneTimeTokenOf(createHmac('sha256', secret).update(content).digest())
}
