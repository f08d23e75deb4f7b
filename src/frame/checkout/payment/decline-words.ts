import type { DeclineCode as CardDeclineCode } from '../../../contract/api/decline-codes.ts'
import type { CheckoutWordName } from '../checkout-word-names.ts'

/**
 * The error codes of a declined payment, after which nothing was charged, and the text of each. Suspected fraud reads like
 * any decline: it must not accuse a person or inform a thief.
 */
export const DECLINE_WORDS = {
  transaction_declined: 'transaction_declined',
  fraud_warning: 'transaction_declined',
  authentication_required: 'transaction_declined',
  authentication_failed: 'authentication_failed',
  not_authenticated: 'not_authenticated',
  insufficient_funds: 'insufficient_funds',
  credit_card_invalid_or_expired: 'credit_card_invalid_or_expired',
  gateway_unavailable: 'gateway_unavailable',
  token_not_found: 'token_not_found',
} as const satisfies Readonly<
  Record<CardDeclineCode | 'gateway_unavailable' | 'token_not_found', CheckoutWordName>
>

export type DeclineCode = keyof typeof DECLINE_WORDS

export function isDecline(code: string): code is DeclineCode {
  return Object.hasOwn(DECLINE_WORDS, code)
}
