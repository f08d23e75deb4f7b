import type {
  AuthorisationRequest,
  FollowUpRequest,
  Gateway,
  GatewayAnswer,
  GatewayCheck,
  GatewayKind,
  OutcomeRequest,
} from '../gateway.ts'
import { adyenDisputes } from './adyen-disputes.ts'
import {
  notCapturedYet,
  toFollowUpAnswer,
  toFollowUpRequest,
  toPaymentRequest,
  toSaleAnswer,
  toVoidRequest,
} from './adyen-messages.ts'
import { adyenSetup, readAdyenNotifications, whyAdyenIsRefused } from './adyen-notifications.ts'
import { isAboutPayment, sendToAdyen } from './checkout-api.ts'
import type { AdyenApi, Reply } from './checkout-api.ts'

/** Adyen's own servers, test and live, with the API's version. */
const OWN_SERVERS =
  /^https:\/\/(?:checkout-test\.adyen\.com|[a-z\d-]+-checkout-live\.adyenpayments\.com\/checkout)\/v\d{1,3}$/
const TEST_SERVER = 'https://checkout-test.adyen.com/v72'

export const adyen: GatewayKind = {
  name: 'Adyen',
  can: { partialCapture: true, lookUp: true, notifications: true, disputes: true, authentication: false },
  words: {
    api_key: 'API key',
    merchant_account: 'Merchant account',
    base_url: 'Address of the Checkout API',
  },
  finding: {
    api_key:
      'In the Customer Area under Developers, API credentials: of a credential with the roles Checkout webservice and, to answer disputes here, API dispute management. Adyen shows it once, when it is generated.',
    merchant_account:
      'As it stands at the top of the Customer Area, such as AcmeECOM. It is not the company account.',
    base_url:
      'Of the test environment as it stands here. A live account has a prefix of its own, under Developers, API URLs.',
  },
  beforehand:
    'Adyen has to allow raw card data for this account: ask its support for “full card data”. Until then it refuses every payment.',
  setup: adyenSetup,
  servers: {
    isOwn: (url) => OWN_SERVERS.test(url),
    usual: TEST_SERVER,
    example: `${TEST_SERVER} or https://PREFIX-checkout-live.adyenpayments.com/checkout/v72`,
  },
  faultOf: () => null,
  // The host alone, as the API's version may change.
  placeOf: ({ base_url: url, merchant_account: account }) => `${new URL(url).host} ${account}`,
  connect: (account, { send, settleMs, ...deps }) =>
    createAdyenGateway({
      ...deps,
      account,
      sendRequest: send,
      ...(settleMs !== undefined && { settleMs }),
    }),
}

interface AdyenDeps extends AdyenApi {
  /** Adyen insists on an address to come back to; without 3-D Secure nobody is sent there. */
  returnUrl: string
  /** A key that was never used. */
  createKey: () => string
  /** Until which age a sale may still arrive at Adyen, in ms. */
  settleMs: number
}

const SETTLE_MS = 180_000

/**
 * Adyen Checkout v72. Every request carries our attempt's id, as its reference and as its `Idempotency-Key`.
 *
 * **Approved**: a sale is approved by `Authorised`. Adyen only receives captures, cancels and refunds, and carries them out later: received
 * is approved here. If one fails after that (a refund for want of funds, a capture of what was cancelled by hand), Adyen says so by a
 * notification (adyen-notifications.ts).
 *
 * **Unknown**: Adyen has no look-up by reference.
 * - A capture, cancel or refund is sent again under its key: Adyen carries it out if it never came, and repeats its answer if it did. A
 *   cancel needs no key for that: a payment is cancelled once.
 * - A sale is sent again too, but without the card, which is erased by then: a sale that came is answered as it was; one that never came
 *   is refused for want of a card. That refusal alone proves nothing, so once no sale can still be under way (`settleMs`), whatever exists
 *   under our reference is voided, and only then does the sale count as never received. To leave time for this, Adyen captures a sale
 *   that is captured at once an hour after it. If it is too late to void, or the key is too old, the outcome stays unknown, and the operator
 *   has to find it out.
 *
 * In its first two hours such a sale is refunded whole, by a reversal; a partial refund is declined.
 */
export function createAdyenGateway(options: Omit<AdyenDeps, 'settleMs'> & { settleMs?: number }): Gateway {
  const deps = { settleMs: SETTLE_MS, ...options }
  return {
    authorise: (request) => authorise(deps, request),
    capture: (request) => followUp(deps, 'capture', request),
    cancel: (request) => followUp(deps, 'cancel', request),
    refund: (request) => followUp(deps, 'refund', request),
    outcomeOf: (asked) =>
      asked.type === 'sale' ? outcomeOfSale(deps, asked) : outcomeOfFollowUp(deps, asked.type, asked),
    check: (signal) => checkAccount(deps, signal),
    notifications: {
      read: (...asked) => readAdyenNotifications(options.account, ...asked),
      whyRefused: whyAdyenIsRefused,
    },
    disputes: adyenDisputes(deps),
  }
}

async function authorise(deps: AdyenDeps, request: AuthorisationRequest): Promise<GatewayAnswer> {
  const { attemptId, signal } = request
  const reply = await sendToAdyen(deps, toPaymentRequest(request, deps.returnUrl), attemptId, signal)
  if (reply.kind === 'answered' || reply.kind === 'refused') return toSaleAnswer(reply, attemptId)
  return answerWithoutOutcome(reply)
}

type FollowUp = 'capture' | 'cancel' | 'refund'

async function followUp(deps: AdyenDeps, type: FollowUp, request: FollowUpRequest): Promise<GatewayAnswer> {
  const { attemptId, sale, signal } = request
  const message = toFollowUpRequest(type, request)
  if (message === null) return notCapturedYet(sale.id)
  const reply = await sendToAdyen(deps, message, attemptId, signal)
  if (isAboutPayment(reply)) return toFollowUpAnswer(reply, attemptId, sale.id)
  return answerWithoutOutcome(reply)
}

/** If Adyen refuses the credentials, or does not understand, nothing was moved: as if it had not been reached. */
function answerWithoutOutcome({ kind }: Reply): GatewayAnswer {
  return { kind: kind === 'unknown' ? 'unknown' : 'unreachable' }
}

type Outcome = Awaited<ReturnType<Gateway['outcomeOf']>>
type LostSale = Extract<OutcomeRequest, { type: 'sale' }>

const UNKNOWN: Outcome = { kind: 'unknown' }
/** The least time for which Adyen keeps an idempotency key and its answer. */
const KEY_KEPT_MS = 7 * 24 * 3_600_000
/** Until this age a sale that is captured at once can surely be voided: Adyen captures it an hour after it came. */
const VOIDABLE_MS = 45 * 60_000

async function outcomeOfFollowUp(
  deps: AdyenDeps,
  type: FollowUp,
  request: FollowUpRequest & { ageMs: number },
): Promise<Outcome> {
  const { attemptId, sale, signal, ageMs } = request
  const again = toFollowUpRequest(type, request)
  if (again === null) return notCapturedYet(sale.id)
  // A payment that is cancelled twice is cancelled once: a cancel needs no key.
  if (ageMs >= KEY_KEPT_MS && type !== 'cancel') return UNKNOWN
  const reply = await sendToAdyen(deps, again, attemptId, signal)
  return isAboutPayment(reply) ? toFollowUpAnswer(reply, attemptId, sale.id) : UNKNOWN
}

async function outcomeOfSale(deps: AdyenDeps, sale: LostSale): Promise<Outcome> {
  if (sale.ageMs < KEY_KEPT_MS) {
    const answer = await repeatSale(deps, sale)
    if (answer !== null) return answer
  }
  const isTooEarly = sale.minAgeMs < deps.settleMs
  const isTooLate = sale.capture && sale.ageMs >= VOIDABLE_MS
  return isTooEarly || isTooLate ? UNKNOWN : voidSale(deps, sale)
}

/** Adyen's answer under the sale's key; null if Adyen knows no sale under it, or one that is neither approved nor declined. */
async function repeatSale(deps: AdyenDeps, sale: LostSale): Promise<Outcome | null> {
  const { attemptId, signal } = sale
  const reply = await sendToAdyen(
    deps,
    toPaymentRequest({ ...sale, card: null }, deps.returnUrl),
    attemptId,
    signal,
  )
  if (reply.kind === 'refused') return null
  if (reply.kind !== 'answered') return UNKNOWN
  const answer = toSaleAnswer(reply, attemptId)
  return answer.kind === 'unknown' ? null : answer
}

async function voidSale(deps: AdyenDeps, { attemptId, signal }: LostSale): Promise<Outcome> {
  const reply = await sendToAdyen(deps, toVoidRequest(attemptId), deps.createKey(), signal)
  return reply.kind === 'answered' && reply.status === 201 ? { kind: 'not_received' } : UNKNOWN
}

/** Asks which payment methods the account takes: Adyen answers only a valid key of that account. */
async function checkAccount(deps: AdyenDeps, signal: AbortSignal): Promise<GatewayCheck> {
  const reply = await sendToAdyen(deps, { path: '/paymentMethods', body: {} }, deps.createKey(), signal)
  switch (reply.kind) {
    case 'answered':
      return { kind: 'works' }
    case 'forbidden':
    case 'refused':
      return refusal(reply)
    case 'unreachable':
      return reply
    case 'unknown':
      return { kind: 'unreachable' }
  }
}

/** 401 is about the key. Adyen answers 403 to a wrong merchant account, which its words then name, and to a key without the role. */
function refusal({ status, message }: { status: number; message: string }): GatewayCheck {
  if (status === 401)
    return { kind: 'refused', message: 'Adyen does not let the API key in (HTTP 401).', path: 'api_key' }
  return {
    kind: 'refused',
    message: `Adyen refuses the account (HTTP ${status}): ${message}`,
    path: /merchant account/i.test(message) ? 'merchant_account' : 'api_key',
  }
}
