/** Names of the checkout's own texts, which add to the form's or replace them; as in `word-names.ts`. */
export const CHECKOUT_WORD_NAMES = [
  'to_pay',
  'pay_amount',
  'submit_button_processing',
  'paid_title',
  'paid_text',
  'reference',
  'checking_title',
  'checking_text',
  'checking_offline',
  'expired_title',
  'expired_text',
  'closed_title',
  'closed_text',
  'tried_out_title',
  'tried_out_text',
  'unreachable_title',
  'unreachable_text',
  'try_again',
  'time_left',
  'transaction_declined',
  'insufficient_funds',
  'credit_card_invalid_or_expired',
  'gateway_unavailable',
  'token_not_found',
] as const

export type CheckoutWordName = (typeof CHECKOUT_WORD_NAMES)[number]
