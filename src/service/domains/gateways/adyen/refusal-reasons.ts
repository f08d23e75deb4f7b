import type { DeclineReason } from '../gateway.ts'

/**
 * What Adyen's `refusalReasonCode` means in our words (docs.adyen.com, refusal reasons). Of a refusal that is not listed
 * nothing is known but that it is one.
 */
const REASONS: Readonly<Record<string, DeclineReason>> = {
  2: 'do_not_honour', // Refused
  3: 'do_not_honour', // Referral
  4: 'do_not_honour', // Acquirer error
  5: 'do_not_honour', // Blocked card
  6: 'expired_card', // Expired card
  7: 'invalid_transaction', // Invalid amount
  8: 'invalid_transaction', // Invalid card number
  9: 'do_not_honour', // Issuer unavailable
  10: 'invalid_transaction', // Not supported
  11: 'do_not_honour', // 3-D not authenticated
  12: 'insufficient_funds', // Not enough balance
  14: 'suspected_fraud', // Acquirer fraud
  15: 'do_not_honour', // Cancelled
  16: 'do_not_honour', // Shopper cancelled
  17: 'do_not_honour', // Invalid PIN
  18: 'do_not_honour', // PIN tries exceeded
  19: 'do_not_honour', // PIN validation not possible
  20: 'suspected_fraud', // Fraud
  21: 'invalid_transaction', // Not submitted
  22: 'suspected_fraud', // Fraud, cancelled
  23: 'invalid_transaction', // Transaction not permitted
  24: 'do_not_honour', // CVC declined
  25: 'do_not_honour', // Restricted card
  26: 'do_not_honour', // Revocation of authorisation
  27: 'do_not_honour', // Declined, non generic
  28: 'insufficient_funds', // Withdrawal amount exceeded
  29: 'insufficient_funds', // Withdrawal count exceeded
  31: 'suspected_fraud', // Issuer suspected fraud
  32: 'do_not_honour', // AVS declined
  33: 'do_not_honour', // Card requires online PIN
  34: 'do_not_honour', // No checking account available on card
  35: 'do_not_honour', // No savings account available on card
  36: 'do_not_honour', // Mobile PIN required
  37: 'do_not_honour', // Contactless fallback
  38: 'do_not_honour', // Authentication required
  39: 'do_not_honour', // RReq not received from the directory server
  40: 'do_not_honour', // Current AID is in penalty box
  41: 'do_not_honour', // CVM required, restart payment
  42: 'do_not_honour', // 3DS authentication error
  43: 'do_not_honour', // Online PIN required
  44: 'do_not_honour', // Try another interface
  45: 'do_not_honour', // Chip downgrade mode
  46: 'do_not_honour', // Transaction blocked by Adyen, to prevent excessive retry fees
}

/** Why a card was refused, by Adyen's code; an unknown or missing code is a refusal without a reason. */
export function declineReasonOf(code: string | undefined): DeclineReason {
  return REASONS[code ?? ''] ?? 'do_not_honour'
}
