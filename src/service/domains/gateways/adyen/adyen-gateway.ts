import { createHash } from 'node:crypto'
import type {
  Authentication,
  AuthenticationAsked,
  AuthenticationRequest,
  AuthenticationTold,
  AuthorisationRequest,
  FollowUpRequest,
  Gateway,
  GatewayAnswer,
  GatewayCheck,
  GatewayKind,
  OutcomeRequest,
} from '../gateway.ts'
import { mayAsk, readState, toDetails, toEmptyDetails, toSilentDetails } from './adyen-authentication.ts'
import type { Progress, State } from './adyen-authentication.ts'
import { adyenDisputes } from './adyen-disputes.ts'
import {
  mayBeOfAnother,
  notAuthenticated,
  notCapturedYet,
  toFollowUpAnswer,
  toFollowUpRequest,
  toPaymentRequest,
  toRepeatedPayment,
  toSaleAnswer,
  toVoidRequest,
} from './adyen-messages.ts'
import type { SaleAnswer, SaleContext } from './adyen-messages.ts'
import { adyenSetup, readAdyenNotifications, whyAdyenIsRefused } from './adyen-notifications.ts'
import { isAboutPayment, sendToAdyen } from './checkout-api.ts'
import type { AdyenApi, AdyenRequest, Reply } from './checkout-api.ts'

/** Adyen's own servers, test and live, with the API's version. */
const OWN_SERVERS =
  /^https:\/\/(?:checkout-test\.adyen\.com|[a-z\d-]+-checkout-live\.adyenpayments\.com\/checkout)\/v\d{1,3}$/
const TEST_SERVER = 'https://checkout-test.adyen.com/v72'

export const adyen: GatewayKind = {
  name: 'Adyen',
  can: { partialCapture: true, lookUp: true, notifications: true, disputes: true, authentication: true },
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
    'Adyen has to allow raw card data for this account: ask its support for “full card data”. Until then it refuses every payment. So that charges show what the card holder’s bank said, choose the fields of 3D Secure in the Customer Area under Developers, Additional data.',
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
  /** Adyen insists on an address to come back to, also where nobody is sent there. */
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
 * **3-D Secure**: a sale whose bank wants to ask the card holder is answered with a step, and so is what comes of that step
 * (adyen-authentication.ts). Each goes under a key of its own, of the attempt's id and the step's number. A sale that is declined for want
 * of authentication is sent once more, with a challenge asked for (`-challenge`). Nothing is authorised before the last step. One that
 * nobody finishes is voided by our reference, whatever there is of it; after 45 minutes at an address it stays unknown, as it may have been
 * paid and taken.
 *
 * In its first two hours a sale that takes the money at once is refunded whole, by a reversal; a partial refund is declined.
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
    authentication: {
      finish: (request) => finish(deps, request),
      abandon: (request) => abandon(deps, request),
    },
  }
}

const UNKNOWN = { kind: 'unknown' } as const
const UNREACHABLE = { kind: 'unreachable' } as const

/** A second try of a sale, whose bank has declined the first for want of authentication. */
const secondKey = (attemptId: string) => `${attemptId}-challenge`

async function authorise(deps: AdyenDeps, request: AuthorisationRequest): ReturnType<Gateway['authorise']> {
  const { attemptId, authentication } = request
  const first = await trySale(deps, request, { key: attemptId, isSecondTry: false })
  const isWanted = first.kind === 'declined' && first.reason === 'authentication_required'
  if (!isWanted || !mayAsk(authentication)) return first
  return trySale(deps, request, { key: secondKey(attemptId), isSecondTry: true })
}

async function trySale(
  deps: AdyenDeps,
  request: AuthorisationRequest,
  { key, isSecondTry }: { key: string; isSecondTry: boolean },
): ReturnType<Gateway['authorise']> {
  const { attemptId, signal, authentication } = request
  const { wish, returnUrl, made } = authentication
  const askedBy = isSecondTry ? 'bank' : wish === 'challenge' ? 'merchant' : 'gateway'
  const progress = mayAsk(authentication) ? ({ askedBy, returnUrl } as const) : null
  const message = toPaymentRequest(request, isSecondTry)
  const answer = await exchange(deps, message, {
    key,
    signal,
    context: { attemptId, isNamed: true, progress, made, ...unasked(made) },
  })
  return answer ?? UNREACHABLE
}

interface Sent {
  key: string
  signal: AbortSignal
  context: SaleContext
}

/**
 * Sends a request of a sale and reads the answer. Where Adyen waits for something that there is nothing to show for, it is told so. Null if
 * nothing was carried out: Adyen was not reached, refuses the credentials, or does not understand.
 */
async function exchange(
  deps: AdyenDeps,
  message: AdyenRequest,
  { key, signal, context }: Sent,
): Promise<Exclude<SaleAnswer, { kind: 'silent' }> | null> {
  const reply = await sendToAdyen(deps, message, key, signal)
  if (reply.kind === 'unknown') return reply
  if (reply.kind !== 'answered' && reply.kind !== 'refused') return null
  const answer = toSaleAnswer(reply, context)
  return answer.kind === 'silent' ? tellNothingToShow(deps, answer.state, { key, signal, context }) : answer
}

/** The payment waits for this at Adyen, so it is `unknown` until that is told. */
async function tellNothingToShow(deps: AdyenDeps, state: State, { key, signal, context }: Sent) {
  const reply = await sendToAdyen(deps, toSilentDetails(state), `${key}-silent`, signal)
  if (reply.kind !== 'answered' && reply.kind !== 'refused') return UNKNOWN
  const answer = toSaleAnswer(reply, { ...context, isNamed: false, ...SEEN.fingerprint })
  return answer.kind === 'silent' ? UNKNOWN : answer
}

const WAITS = { kind: 'waits' } as const

async function finish(
  deps: AdyenDeps,
  { attemptId, signal, state: kept, stepNumber, told }: AuthenticationRequest & { told: AuthenticationTold },
): ReturnType<Authentication['finish']> {
  const state = readState(kept)
  const message = toDetails(state, told)
  if (message === null) return WAITS
  const key = stepKey(attemptId, stepNumber, state, message)
  const reply = await sendToAdyen(deps, message, key, signal)
  if (reply.kind !== 'answered' && reply.kind !== 'refused') return answerWithoutOutcome(reply)
  const context = { attemptId, isNamed: false, progress: state, made: null, ...SEEN[state.kind] }
  // What came back from an address may be forged, or of another payment of the same card holder.
  const isNotOfThis = reply.kind === 'refused' || mayBeOfAnother(reply, context)
  if (state.kind === 'redirect' && isNotOfThis) return WAITS
  const answer = toSaleAnswer(reply, context)
  // Adyen knows the step no more, or it was given up before, which took its key (`answerSoFar`).
  if (reply.kind === 'refused' && answer.kind === 'declined')
    return { ...answer, reason: 'authentication_failed' }
  return answer.kind === 'silent' ? tellNothingToShow(deps, answer.state, { key, signal, context }) : answer
}

/** How a sale that has an answer after a step went. What happened at an address, Adyen alone knows. */
const SEEN = {
  fingerprint: { flow: 'frictionless', tookPart: true },
  challenge: { flow: 'challenge', tookPart: true },
  redirect: { flow: null, tookPart: true },
} as const

/** A sale that is answered at once: what the bank said of it needed no card holder. */
const unasked = (made: AuthenticationAsked['made']) =>
  ({ flow: made === null ? 'frictionless' : null, tookPart: false }) as const

/** The bank's own word of a step counts once. Of an address each that comes back is tried: what is forged must not take the key. */
function stepKey(attemptId: string, stepNumber: number, { kind }: State, { body }: AdyenRequest): string {
  const key = `${attemptId}-step${stepNumber}`
  if (kind !== 'redirect') return key
  return `${key}-${createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 16)}`
}

/** A card holder's sale at one of its steps. */
type Waiting = Pick<AuthenticationRequest, 'attemptId' | 'ageMs' | 'signal' | 'state' | 'stepNumber'>

async function abandon(deps: AdyenDeps, waiting: Waiting): Promise<GatewayAnswer> {
  const had = await answerSoFar(deps, waiting)
  if (had !== null) return had
  const { attemptId, signal } = waiting
  const reply = await sendToAdyen(deps, toVoidRequest(attemptId), deps.createKey(), signal)
  if (reply.kind === 'answered' && reply.status === 201) return notAuthenticated('')
  return reply.kind === 'unreachable' || reply.kind === 'forbidden' ? UNREACHABLE : UNKNOWN
}

/**
 * What Adyen has answered to this step or a later one, of which the service may know nothing, as after a restored backup; null if there is no
 * such answer, or it can still be voided. A step's key gives its answer again; without one, what tells nothing is refused, and takes the key.
 * `unknown` where the key tells no more and the money may have been taken since: then it can't be voided.
 */
async function answerSoFar(
  deps: AdyenDeps,
  { attemptId, ageMs, signal, state, stepNumber }: Waiting,
): Promise<GatewayAnswer | null> {
  const progress = readState(state)
  // The key of an address depends on what came back.
  if (progress.kind === 'redirect') return ageMs >= VOIDABLE_MS ? UNKNOWN : null
  if (ageMs >= KEY_KEPT_MS) return UNKNOWN
  const key = `${attemptId}-step${stepNumber}`
  const reply = await sendToAdyen({ ...deps, onFault: quiet }, toEmptyDetails(), key, signal)
  if (reply.kind === 'refused') return null
  if (reply.kind !== 'answered') return answerWithoutOutcome(reply)
  const context = { attemptId, isNamed: false, progress, made: null, ...SEEN[progress.kind] }
  const answer = toSaleAnswer(reply, context)
  if (answer.kind === 'silent') return UNKNOWN
  if (answer.kind !== 'authentication_needed') return answer
  return answerSoFar(deps, { attemptId, ageMs, signal, state: answer.state, stepNumber: stepNumber + 1 })
}

/** That it is refused is no fault. */
const quiet = () => undefined

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
function answerWithoutOutcome({ kind }: Reply): typeof UNKNOWN | typeof UNREACHABLE {
  return kind === 'unknown' ? UNKNOWN : UNREACHABLE
}

type Outcome = Awaited<ReturnType<Gateway['outcomeOf']>>
type LostSale = Extract<OutcomeRequest, { type: 'sale' }>

/** The least time for which Adyen keeps an idempotency key and its answer. */
const KEY_KEPT_MS = 7 * 24 * 3_600_000
/** Until this age a sale can be voided: Adyen captures one that is captured at once an hour after it came. */
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
  const answer = sale.ageMs < KEY_KEPT_MS ? await repeatTries(deps, sale) : null
  // Its step was never kept, so nobody can finish it.
  if (answer?.kind === 'authentication_needed')
    return abandon(deps, { ...sale, state: answer.state, stepNumber: 0 })
  if (answer !== null) return answer
  const isTooLate = sale.capture && sale.ageMs >= VOIDABLE_MS
  return mayStillArrive(deps, sale) || isTooLate ? UNKNOWN : voidSale(deps, sale)
}

const mayStillArrive = ({ settleMs }: AdyenDeps, { minAgeMs }: LostSale) => minAgeMs < settleMs

/** What Adyen answered to the last try of a sale; null if it knows none. */
async function repeatTries(deps: AdyenDeps, sale: LostSale): ReturnType<typeof repeatSale> {
  const first = await repeatSale(deps, sale, sale.attemptId)
  if (first?.kind !== 'declined' || first.reason !== 'authentication_required') return first
  const second = await repeatSale(deps, sale, secondKey(sale.attemptId))
  return second ?? (mayStillArrive(deps, sale) ? UNKNOWN : first)
}

/** Adyen's answer under a sale's key; null if Adyen knows no sale under it, or one that is neither approved nor declined. */
async function repeatSale(
  deps: AdyenDeps,
  sale: LostSale,
  key: string,
): Promise<Exclude<SaleAnswer, { kind: 'silent' }> | null> {
  const { attemptId, signal } = sale
  const reply = await sendToAdyen(deps, toRepeatedPayment(sale, deps.returnUrl), key, signal)
  if (reply.kind === 'refused') return null
  if (reply.kind !== 'answered') return UNKNOWN
  const progress: Progress = { askedBy: 'gateway', returnUrl: deps.returnUrl }
  const context = { attemptId, isNamed: true, progress, made: null, ...unasked(null) }
  const answer = toSaleAnswer(reply, context)
  if (answer.kind === 'silent') return tellNothingToShow(deps, answer.state, { key, signal, context })
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
