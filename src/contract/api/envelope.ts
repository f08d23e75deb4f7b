import * as v from 'valibot'
import type { DeclineCode } from './decline-codes.ts'

/** Every `error.code`, with the HTTP status of its answers (contract §2). */
export const ERROR_STATUS = {
  validation_error: 400,
  token_not_found: 400,
  unauthorized: 401,
  token_expired: 401,
  forbidden: 403,
  password_required: 403,
  feature_not_enabled: 403,
  insufficient_scope: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_in_progress: 409,
  amendment_pending: 409,
  precondition_failed: 412,
  body_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  unfulfilled_condition: 422,
  amount_exceeds_authorised: 422,
  amount_exceeds_captured: 422,
  authorisation_expired: 422,
  checkout_expired: 422,
  outside_terms: 422,
  debtor_not_found: 422,
  gateway_not_found: 422,
  template_not_found: 422,
  unknown_workflow_version: 422,
  transaction_declined: 422,
  insufficient_funds: 422,
  credit_card_invalid_or_expired: 422,
  fraud_warning: 422,
  authentication_required: 422,
  authentication_failed: 422,
  not_authenticated: 422,
  rate_limited: 429,
  system_error: 500,
  gateway_unavailable: 503,
  network_unavailable: 503,
  outcome_unknown: 503,
  service_unavailable: 503,
} as const satisfies Readonly<Record<DeclineCode, 422>> & Readonly<Record<string, number>>

export type ErrorCode = keyof typeof ERROR_STATUS

/** One fault in a request: its path, such as `customer.email`, and a message. */
const ErrorDetail = v.object({ path: v.string(), message: v.string() })
export type ErrorDetail = v.InferOutput<typeof ErrorDetail>

/** The shape of every answer of the service, errors too. Each resource has a schema of its own for `data`. */
export const Envelope = v.object({
  status: v.number(),
  error: v.nullable(
    v.object({ code: v.string(), message: v.string(), details: v.optional(v.array(ErrorDetail)) }),
  ),
  resource: v.object({ type: v.string(), data: v.unknown(), next: v.optional(v.nullable(v.string())) }),
})
export type Envelope = v.InferOutput<typeof Envelope>
