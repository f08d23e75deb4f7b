import type { ErrorCode } from '../../../contract/api/envelope.ts'
import type { DeclineReason } from '../gateways/gateway.ts'
import { ServiceError } from '../../platform/errors.ts'
import { isDone, saleOf } from './charge.ts'
import type { Attempt, Charge, MovementType } from './charge.ts'

interface Refusal {
  code: ErrorCode
  message: string
  /** Seconds after which the same request is worth another try; left out where that can't change the answer. */
  retryAfter?: number
}

const BY_REASON: Readonly<Record<DeclineReason, Refusal>> = {
  do_not_honour: {
    code: 'transaction_declined',
    message: "The card's issuer declined. Ask the card holder for another card, or to call their bank.",
  },
  insufficient_funds: {
    code: 'insufficient_funds',
    message: 'The account has too little for this amount. Ask the card holder for another card.',
  },
  expired_card: {
    code: 'credit_card_invalid_or_expired',
    message: 'The issuer says that the card has expired. Ask the card holder for another card.',
  },
  suspected_fraud: {
    code: 'fraud_warning',
    message: 'The issuer suspects fraud. Do not try this card again.',
  },
  authorisation_expired: {
    code: 'authorisation_expired',
    message: 'The hold is over and the funds are released. Make a new charge to ask for them again.',
  },
  invalid_transaction: {
    code: 'transaction_declined',
    message: 'The gateway refused the transaction as it was sent. Read the charge before you try again.',
  },
  authentication_required: {
    code: 'authentication_required',
    message:
      'The bank wants to ask the card holder, and was not let. Make a new charge with a new token from the card form, and leave `authentication` at automatic.',
  },
  authentication_failed: {
    code: 'authentication_failed',
    message:
      "The card holder's bank could not confirm that it is them. Ask for another card, or to call their bank.",
  },
  not_authenticated: {
    code: 'not_authenticated',
    message:
      'The card holder did not finish what their bank asked. Nothing was taken; ask for the card again.',
  },
}

const SALE_UNREACHABLE: Refusal = {
  code: 'gateway_unavailable',
  message:
    'The gateway could not be reached, or refused the account; nothing was moved. The token is still good: send the same request again in a moment.',
  retryAfter: 5,
}
const UNREACHABLE: Refusal = {
  code: 'gateway_unavailable',
  message:
    'The gateway could not be reached, or refused the account; nothing was moved. Try again in a moment.',
  retryAfter: 5,
}
const SALE_NOT_RECEIVED: Refusal = {
  code: 'gateway_unavailable',
  message:
    'The gateway never received this, and nothing was moved. Its token is used up: make a new charge, with a new token and a new Idempotency-Key.',
}
const NOT_RECEIVED: Refusal = {
  code: 'gateway_unavailable',
  message: 'The gateway never received this. Nothing was moved; try again.',
  retryAfter: 5,
}

/** What to do once a gateway says that it did not carry out what it had approved. */
const FAILED_LATER: Readonly<Record<MovementType, Refusal>> = {
  sale: {
    code: 'transaction_declined',
    message:
      'The gateway said later that it could not take the money. Send no goods; ask the card holder for another payment.',
  },
  capture: {
    code: 'transaction_declined',
    message:
      'The gateway said later that it could not take the money. If the charge is pending, capture it again; if it has failed, make a new one. Send no goods before.',
  },
  cancel: {
    code: 'transaction_declined',
    message:
      'The gateway said later that it did not release the hold. Cancel the charge again, or capture it.',
  },
  refund: {
    code: 'transaction_declined',
    message:
      'The gateway said later that the money did not reach the card holder. Refund again, or pay them back another way.',
  },
}

/** The same of an attempt of a charge, also where it was approved at first and failed later. */
export function laterRefusalOf(charge: Charge, attempt: Attempt): Refusal | null {
  const { type, outcome } = attempt
  const hasFailedLater = type !== 'reversal' && outcome === 'approved' && !isDone(charge, attempt)
  return hasFailedLater ? FAILED_LATER[type] : attemptRefusalOf(attempt)
}

/** Why a charge has failed or holds nothing to ship for: its sale was refused, or a capture failed later. Null of any other. */
export function chargeRefusalOf(charge: Charge): Refusal | null {
  const refusal = laterRefusalOf(charge, saleOf(charge))
  return refusal === null && charge.status === 'failed' ? FAILED_LATER.capture : refusal
}

/** Why an attempt failed at once, in our code and words; null when it did not. */
export function attemptRefusalOf({
  type,
  outcome,
  declineReason,
}: Pick<Attempt, 'type' | 'outcome' | 'declineReason'>): Refusal | null {
  switch (outcome) {
    case 'declined':
      return BY_REASON[declineReason ?? 'do_not_honour']
    case 'unreachable':
      return type === 'sale' ? SALE_UNREACHABLE : UNREACHABLE
    case 'not_received':
      return type === 'sale' ? SALE_NOT_RECEIVED : NOT_RECEIVED
    case 'approved':
    case 'open':
      return null
  }
}

/** The error that answers a failed attempt; it carries the charge as it stands. */
export function toServiceError({ code, message, retryAfter }: Refusal, resource: unknown): ServiceError {
  return new ServiceError(code, message, { resource, ...(retryAfter !== undefined && { retryAfter }) })
}

/**
 * The error for an attempt that was sent and not answered. Without an idempotency key a repetition may move the money again, so
 * the message says what to read instead: of a sale the charge's status, as the sale of a hold stays a `pending` transaction; of
 * any other attempt its transaction.
 */
export function outcomeUnknown(type: Attempt['type'], resource: unknown): ServiceError {
  const settled =
    type === 'sale' ? 'it is no longer processing' : 'its newest transaction is no longer pending'
  return new ServiceError(
    'outcome_unknown',
    `No answer came: it may have been done. Repeat it under its Idempotency-Key after Retry-After; without a key only read the charge until ${settled}.`,
    { resource, retryAfter: 10 },
  )
}
