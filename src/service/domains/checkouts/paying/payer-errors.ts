import type { DeclineCode } from '../../../../contract/api/decline-codes.ts'
import type { ErrorCode } from '../../../../contract/api/envelope.ts'
import { ServiceError } from '../../../platform/errors.ts'

/** What a card holder reads; the merchant finds the gateway's own words in the charge. */
const WORDS: Readonly<
  Partial<Record<ErrorCode, string>> & Record<DeclineCode | 'gateway_unavailable', string>
> = {
  transaction_declined: 'Your bank declined this payment. Try another card, or call your bank.',
  insufficient_funds: 'There is not enough money in this account. Try another card.',
  credit_card_invalid_or_expired: 'Your bank says that this card has expired. Try another card.',
  fraud_warning: 'Your bank stopped this payment. Try another card, or call your bank.',
  gateway_unavailable: 'The payment could not be sent and nothing was taken. Try again in a moment.',
}

/** The error that answers a payment that failed: the code is that of the charge. */
export function paymentFailed(code: ErrorCode): ServiceError {
  const words = WORDS[code] ?? 'The payment failed and nothing was taken. Try another card.'
  return new ServiceError(code, words, code === 'gateway_unavailable' ? { retryAfter: 5 } : {})
}

/** The error that answers a payment which was sent and not answered. */
export function outcomeUnknown(): ServiceError {
  return new ServiceError(
    'outcome_unknown',
    'Your bank has not answered yet. Do not pay again: we keep asking, and this page can ask for the result.',
    { retryAfter: 5 },
  )
}
