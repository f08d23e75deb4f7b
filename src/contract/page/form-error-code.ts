import { DECLINE_CODES } from '../api/decline-codes.ts'

/** What SDK and form find out themselves: why a form does not come or can't be used, and what network and device lack. */
export const OWN_ERROR_CODES = [
  'frame_not_loaded',
  'not_the_service',
  'origin_not_allowed',
  'page_from_disk',
  'page_sandboxed',
  'mixed_content',
  'blocked_by_csp',
  'blocked_by_header',
  'widget_origin_unknown',
  'form_not_in_page',
  'form_replaced',
  'form_not_loaded',
  'widget_destroyed',
  'version_mismatch',
  'secret_key',
  'offline',
  'network_error',
  'timeout',
] as const

/** What the service answers a form. */
export const ANSWERED_ERROR_CODES = [
  'gateway_not_found',
  'validation_error',
  'unauthorized',
  'forbidden',
  'token_expired',
  'token_not_found',
  'not_found',
  'request_in_progress',
  'body_too_large',
  'idempotency_key_reused',
  'unfulfilled_condition',
  'checkout_expired',
  ...DECLINE_CODES,
  'rate_limited',
  'system_error',
  'gateway_unavailable',
  'outcome_unknown',
  'service_unavailable',
] as const

/**
 * Every `error.code` of a form's events and of what `load()` and `submit()` reject with, and every `code` of a failed payment. A merchant's
 * page branches on them: one that is here keeps its meaning.
 */
export type FormErrorCode = (typeof OWN_ERROR_CODES)[number] | (typeof ANSWERED_ERROR_CODES)[number]
