import { createHmac } from 'node:crypto'
import type { TokeniseRequest } from '../../../contract/api/charges/payment-source-token.ts'
import { ServiceError } from '../../platform/errors.ts'
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
 * or the card is another. HMAC-SHA256 under `secret`, in the form of a UUID of version 4 (RFC 9562).
 */
export function deriveToken(secret: Buffer, { merchantId, idempotencyKey, card }: RepeatableRequest): string {
  const { card_name, expire_month, expire_year, holder } = cardFactsOf(card)
  const facts = [card_name, expire_month, expire_year, holder, card.card_number, card.card_ccv]
  const content = JSON.stringify([merchantId, idempotencyKey, ...facts])
  const bytes = createHmac('sha256', secret).update(content).digest()
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex', 0, 16)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
