import type { FormErrorCode } from '../../../contract/page/form-error-code.ts'
import * as v from 'valibot'
import { CheckoutPayment, CheckoutSession } from '../../../contract/api/checkouts/checkout-session.ts'
import type { CheckoutSetup } from '../../../contract/page/checkout-setup.ts'
import type { ErrorDetail } from '../../../contract/api/envelope.ts'
import { askService, codeOf, fault } from '../../tokenise/service-request.ts'
import type { Answer, Fault } from '../../tokenise/service-request.ts'
import type { ServiceClock } from '../../service-clock.ts'
import { isDecline } from '../payment/decline-words.ts'
import type { DeclineCode } from '../payment/decline-words.ts'

/** The intent can no longer be paid: it has expired, too many payments have failed, or the service refuses its token. */
export interface Refused {
  kind: 'expired' | 'closed' | 'tried_out'
  code: FormErrorCode
}

/** What the service says of a try to pay an intent that has no tries left. */
export const TRIED_OUT: Refused = { kind: 'tried_out', code: 'unfulfilled_condition' }

export type SessionOutcome = { kind: 'session'; session: CheckoutSession } | Refused | Fault

/** What the page around shows the step of a bank with. */
export type Asked = NonNullable<CheckoutSession['_3ds']>

/**
 * The outcome of a payment. unknown: it may have been made. Repeating the request with the same payment source tells, and pays
 * at most once. `isUnderWay`: the service says that it is being made, maybe that the card holder's bank asks them: the session tells.
 */
export type PaymentOutcome =
  | { kind: 'paid'; payment: Pick<CheckoutPayment, 'intent_id' | 'charge_id'> }
  | { kind: 'declined'; code: DeclineCode }
  | { kind: 'refused'; code: FormErrorCode; details: ErrorDetail[] }
  | { kind: 'unknown'; afterMs: number; isUnderWay?: boolean }
  | Refused

/** A checkout's requests to the service, authorised by its token. No call rejects. */
export interface ServiceCalls {
  readSession: (timeoutMs: number) => Promise<SessionOutcome>
  pay: (paymentSource: string) => Promise<PaymentOutcome>
  /** Ends what a bank asks; the outcome is that of the payment. */
  giveUp: (asked: Asked) => Promise<void>
}

/** Longer than other requests, as the service asks a bank. */
const PAYMENT_TIMEOUT_MS = 30_000
const GIVING_UP_TIMEOUT_MS = 10_000

interface CallParts {
  credentials: Record<string, string>
  send: typeof globalThis.fetch
  /** Follows the service's. */
  clock: ServiceClock
}

export function createServiceCalls(
  { session_url, payments_url, authentications_url }: CheckoutSetup,
  { credentials, send, clock }: CallParts,
): ServiceCalls {
  return {
    async readSession(timeoutMs) {
      const request = { method: 'GET', url: session_url, headers: credentials, timeoutMs } as const
      const answer = await askService(request, send)
      if (answer.kind === 'fault') return answer
      clock.setTo(answer.at)
      return sessionOutcomeOf(answer)
    },
    async pay(payment_source) {
      const headers = { 'content-type': 'application/json', ...credentials }
      const body = JSON.stringify({ payment_source })
      const timeoutMs = PAYMENT_TIMEOUT_MS
      const answer = await askService({ method: 'POST', url: payments_url, headers, body, timeoutMs }, send)
      return answer.kind === 'fault' ? { kind: 'unknown', afterMs: NaN } : paymentOutcomeOf(answer)
    },
    async giveUp({ id, token }) {
      const url = authentications_url + id
      const headers = { authorization: `Bearer ${token}` }
      await askService({ method: 'DELETE', url, headers, timeoutMs: GIVING_UP_TIMEOUT_MS }, send)
    },
  }
}

function sessionOutcomeOf({ status, envelope, afterMs }: Answer): SessionOutcome {
  if (status === 429) return { ...fault('rate_limited', true), afterMs }
  const { error, resource } = envelope ?? {}
  const { success, output } = v.safeParse(CheckoutSession, resource?.data)
  if (status === 200 && success) return { kind: 'session', session: output }
  if (!error) return fault('system_error', true)
  const code = codeOf(error.code)
  return status < 500 ? refusalBy(code) : fault(code, true)
}

function paymentOutcomeOf({ status, envelope, afterMs }: Answer): PaymentOutcome {
  const { error, resource } = envelope ?? {}
  const { success, output } = v.safeParse(CheckoutPayment, resource?.data)
  if (status < 300 && success) return { kind: 'paid', payment: output }
  if (!error) return { kind: 'unknown', afterMs }
  const { details = [] } = error
  const code = codeOf(error.code)
  if (isDecline(code)) return { kind: 'declined', code }
  if (code === 'validation_error') return { kind: 'refused', code, details }
  const isUnderWay = code === 'request_in_progress'
  return status >= 500 || RETRYABLE_STATUSES.includes(status)
    ? { kind: 'unknown', afterMs, isUnderWay }
    : refusalBy(code)
}

/** Another request is paying the intent; too many requests. */
const RETRYABLE_STATUSES = [409, 429]

function refusalBy(code: FormErrorCode): Refused {
  const isExpired = code === 'token_expired' || code === 'checkout_expired'
  return { kind: isExpired ? 'expired' : 'closed', code }
}
