/** Every `error.code` of a card payment that was declined. Each place that words them is a `Record<DeclineCode, …>`. */
export const DECLINE_CODES = [
  'transaction_declined',
  'insufficient_funds',
  'credit_card_invalid_or_expired',
  'fraud_warning',
  'authentication_required',
  'authentication_failed',
  'not_authenticated',
] as const
export type DeclineCode = (typeof DECLINE_CODES)[number]
