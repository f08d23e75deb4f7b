import { CardServiceFault } from './card-service-fault.ts'

/** What a person reads when the card service refuses something about an agreement, by error code. */
const WORDS: Record<string, string> = {
  unfulfilled_condition:
    'That cannot be done with this subscription as it is now. This page shows how it stands.',
  outside_terms:
    'What was agreed does not allow this now. The subscription says how much may be paid, and how often.',
  amendment_pending: 'Another change still waits for an answer in the payer’s bank.',
  precondition_failed: 'This subscription has changed meanwhile. Look at it again, then try once more.',
  debtor_not_found: 'No bank knows this account. Check what you typed.',
  network_unavailable:
    'The banks’ payment network cannot be reached just now. Nothing was changed: try again soon.',
  request_in_progress: 'This is being done already. One moment, please.',
  idempotency_key_reused:
    'This page has already asked for something else. Load it again, then try once more.',
  outcome_unknown:
    'No answer came in time. This page shows it as soon as it is known: please do not repeat it.',
  service_unavailable:
    'Payments by bank account are not available just now. Nothing was changed: try again soon.',
  system_error: 'The card service had a fault of its own. Look at the subscription before you try again.',
  not_found: 'There is no such agreement.',
  validation_error: 'The card service cannot read this. Check what you typed.',
  rate_limited: 'That was quicker than the card service can follow. Try again in a minute.',
}

/** The same fault with words about agreements. */
export function toAgreementRefusal({ code, message, words }: CardServiceFault): CardServiceFault {
  return new CardServiceFault(code, message, words ?? WORDS[code])
}
