import { ERROR_STATUS } from '../../../contract/api/envelope.ts'
import type { ErrorCode } from '../../../contract/api/envelope.ts'

/** What each `error.code` means and what a caller does about it: the document's list, and its examples. */
export const ERROR_WORDS: Readonly<Record<ErrorCode, string>> = {
  validation_error: 'The request is not valid. Correct what details names.',
  token_not_found: 'The token is unknown, used or older than three hours. Collect the card again.',
  unauthorized: 'The key is missing or wrong. Send the one that the operation names, of this environment.',
  token_expired: 'The token of the checkout has expired. Make a new checkout.',
  forbidden: 'This caller may not do that. Use the key or token that the operation names.',
  password_required: 'On the dashboard alone: give the password once more, then repeat the request.',
  feature_not_enabled: 'The merchant does not have this feature. Ask the operator to turn it on.',
  insufficient_scope: 'The access token lacks the scope that the message names. Ask for one that has it.',
  not_found: 'There is nothing with this id, or it belongs to another merchant. Check the id and the key.',
  method_not_allowed: 'The address does not take this method. Use one that the header Allow names.',
  request_in_progress: 'Another request is at work on the same thing. Send it again after Retry-After.',
  amendment_pending: 'The debtor has not answered the amendment before. Wait for its answer.',
  precondition_failed: 'It has changed since the version in If-Match. Read it again, then decide.',
  body_too_large: 'A request body may have 64 KiB at most, and less where little is needed. Send less.',
  unsupported_media_type: 'Send JSON with the header content-type: application/json.',
  idempotency_key_reused:
    'The Idempotency-Key belongs to another request. Read what became of that one before you choose another key.',
  unfulfilled_condition: 'What it is about is in no state for this. Read it, then decide.',
  amount_exceeds_authorised: 'The amount is more than what is held. Capture that, or less.',
  amount_exceeds_captured:
    'The amount is more than what is left of the captured amount. Refund that, or less.',
  authorisation_expired: 'The hold is over. Authorise anew.',
  checkout_expired: 'The 16 minutes of the checkout are over and nothing was taken. Make a new one.',
  outside_terms:
    'The terms of the agreement do not allow it. Keep to the term that the message names, or amend it.',
  debtor_not_found: 'There is no such PayID or account. Ask the payer for it again.',
  gateway_not_found:
    'The merchant has no gateway to charge cards with, or that of the token was removed. Connect one, then collect the card again.',
  template_not_found:
    'There is no such template, or it is of another type or of a newer version than the checkout. Check its id.',
  unknown_workflow_version: 'There is no such version. Use one that the message names.',
  transaction_declined: 'The issuer declined. Ask for another card.',
  insufficient_funds: 'The card lacks the funds. Ask for another card.',
  credit_card_invalid_or_expired: 'The card is invalid or has expired. Ask for another card.',
  fraud_warning: 'The issuer suspects fraud. Do not try this card again.',
  rate_limited: 'Too many requests. Send it again after Retry-After.',
  system_error: 'Something went wrong on our side. Try again; if it stays, tell us the x-request-id.',
  gateway_unavailable:
    'The gateway could not be reached, refused the account, or never received it. Nothing was moved. With Retry-After, send the same request again: a token is still good. Without, the token is used up: make a new charge, with a new token and a new Idempotency-Key.',
  network_unavailable:
    'The payment network could not be reached. Nothing was done: try again after Retry-After.',
  outcome_unknown:
    'It may have been done, and no answer came. With Retry-After, send it again under its Idempotency-Key: never start anew. Without, read what is there; if it was not done, send it under a new key.',
  service_unavailable:
    'The service is too busy just now, or in maintenance. Nothing was done: try again after Retry-After.',
}

export function isErrorCode(code: string): code is ErrorCode {
  return code in ERROR_STATUS
}

/** Codes by the status that they are answered with, in the order of the statuses. */
export function byStatus(codes: Iterable<ErrorCode>): Map<number, ErrorCode[]> {
  const sorted = [...new Set(codes)].sort((one, other) => ERROR_STATUS[one] - ERROR_STATUS[other])
  const groups = new Map<number, ErrorCode[]>()
  for (const code of sorted) {
    const status = ERROR_STATUS[code]
    groups.set(status, [...(groups.get(status) ?? []), code])
  }
  return groups
}
