/** Messages for the shopper after a failed payment. Each of these codes means that no money moved. */
const WORDS: Record<string, string> = {
  transaction_declined:
    'Your bank declined this card, and nothing was charged. Try another card, or ask your bank for the reason.',
  insufficient_funds:
    'There is not enough money on this card, and nothing was charged. Try another card, or a smaller order.',
  credit_card_invalid_or_expired:
    'This card has expired or is no longer valid, and nothing was charged. Check its details, or try another.',
  authentication_failed:
    'Your bank could not confirm that it is you, and nothing was charged. Try another card, or ask your bank.',
  not_authenticated:
    'You did not confirm this payment with your bank, and nothing was charged. You can try again.',
  gateway_unavailable:
    'The bank cannot be reached just now. Nothing was charged: please try again in a moment.',
  service_unavailable:
    'Card payments are not available just now. Nothing was charged: please try again in a moment.',
  keys_missing: 'Card payments are not set up in this shop yet. Nothing was charged.',
  rate_limited: 'That was quicker than we can follow. Nothing was charged: please try again in a minute.',
  token_not_found: 'Your card details are no longer fresh. Nothing was charged: please press Pay again.',
}

/** Codes after which it is not known yet whether money moved. */
const UNKNOWN = new Set(['outcome_unknown', 'system_error', 'request_in_progress'])

/** Whether the shop must find out before the shopper may pay again. */
export const isOutcomeUnknown = (code: string): boolean => UNKNOWN.has(code)

/**
 * The message for an error code of the card service. Suspected fraud reads like any decline: it must not accuse a shopper or
 * tell a thief which cards were detected.
 */
export function declineWords(code: string): string {
  if (code === 'fraud_warning') return declineWords('transaction_declined')
  return WORDS[code] ?? 'The payment did not go through, and nothing was charged. Please try again.'
}
