import * as v from 'valibot'
import type {
  Authentication,
  AuthenticationNeeded,
  AuthorisationRequest,
  FollowUpRequest,
  Gateway,
  GatewayAnswer,
  GatewayCheck,
  GatewayKind,
  OutcomeRequest,
} from '../gateway.ts'
import { isLive, isMalformed, sendToStripe } from './stripe-api.ts'
import type { Reply, StripeApi, StripeFault } from './stripe-api.ts'
import { isEciKnown, mayAsk, readState, resultOfMade, stepOf } from './stripe-authentication.ts'
import {
  cancelIn,
  captureIn,
  Intent,
  holdEnded,
  notAuthenticated,
  Refund,
  refundIn,
  RefundList,
  refusal,
  saleIn,
  toAbandonment,
  toConfirmation,
  toCreation,
  toDecline,
  toEndedOtherwise,
  toFollowUpRequest,
  toReading,
  toRefundList,
  toRefusal,
  toRequired,
} from './stripe-messages.ts'
import type { FollowUp, SaleOrder } from './stripe-messages.ts'
import { stripeDisputes } from './stripe-disputes.ts'
import { readStripeNotifications, stripeSetup, whyStripeIsRefused } from './stripe-notifications.ts'

const SERVER = 'https://api.stripe.com'

export const stripe: GatewayKind = {
  name: 'Stripe',
  can: { partialCapture: true, lookUp: true, notifications: true, disputes: true, authentication: true },
  words: { api_key: 'Secret key', merchant_account: 'Account id', base_url: 'Address of the API' },
  finding: {
    api_key:
      'In Stripe’s Dashboard under Developers, API keys: the secret key (sk_…), or a restricted one (rk_…) that may write PaymentIntents, Charges and Refunds and, to answer disputes here, Disputes and Files, and read the account.',
    merchant_account: 'In Stripe’s Dashboard under Settings, Account details. It begins with acct_.',
    base_url: 'Stripe has this one, in test mode and live.',
  },
  beforehand:
    'Stripe has to allow raw card data APIs for this account: ask its support. Until then it refuses every payment. Whose bank asks the card holder by itself, Radar’s rules for 3D Secure say; to send authentications that another provider has made, ask Stripe’s support too.',
  setup: stripeSetup,
  servers: { isOwn: (url) => url === SERVER, usual: SERVER, example: SERVER },
  faultOf({ api_key: key, merchant_account: account }) {
    if (!/^[sr]k_(?:test|live)_\w+$/.test(key))
      return { path: 'api_key', message: 'must be a secret or restricted key, which begins with sk_ or rk_' }
    if (!/^acct_\w+$/.test(account))
      return { path: 'merchant_account', message: 'must be the id of the account, which begins with acct_' }
    return null
  },
  // Test and live payments of one account have nothing in common.
  placeOf: ({ api_key: key, merchant_account: account, base_url: url }) =>
    `${new URL(url).host} ${account} ${isLive(key) ? 'live' : 'test'}`,
  connect: (account, { send, onFault, settleMs = SETTLE_MS }) =>
    createStripeGateway({ account, send, onFault, settleMs }),
}

interface StripeDeps extends StripeApi {
  /** After this time an error of Stripe's own has had its last consequence, in ms. */
  settleMs: number
}

/** Stripe's engineers may complete by hand what ended in an error of theirs. */
const SETTLE_MS = 3_600_000
/** The least time for which Stripe keeps an idempotency key and its answer, less an hour. */
const KEY_KEPT_MS = 23 * 3_600_000

/**
 * Stripe's PaymentIntents. Our attempt's id is the idempotency key, and stands in the metadata of what it made.
 *
 * **A sale has two steps**: the payment is made without a card, then the card pays it. Whoever loses the answer to the first step has paid
 * nothing, and can ask for it again without the card, which is erased by then. So the payment's id is always found, and with it what
 * became of the second step. One that was not paid is cancelled: the card is refused if it still arrives. This costs one request more for
 * each sale (docs/gateways.md).
 *
 * **3-D Secure**: a payment that waits for its card holder goes on by itself once the bank's page was passed (stripe-authentication.ts). One
 * that is declined for want of authentication gets its card once more, with a challenge asked for. One that nobody finishes is cancelled.
 *
 * **Unknown**:
 * - A sale is made again under its key, which tells its id for a day; then the payment is read.
 * - A capture or cancel is read off the payment, at any age. What is not done is sent again: a payment can be taken or ended once.
 * - A refund is looked for among those of the payment, at any age. One that is not there is sent again under its key, for a day; after
 *   that none can still be under way.
 *
 * Stripe keeps its own errors (HTTP 500) as answers under a key. Then nothing more comes under it.
 */
export function createStripeGateway(deps: StripeDeps): Gateway {
  return {
    authorise: (request) => authorise(deps, request),
    capture: (request) => followUp(deps, 'capture', request),
    cancel: (request) => followUp(deps, 'cancel', request),
    refund: (request) => followUp(deps, 'refund', request),
    outcomeOf: (asked) => {
      if (asked.type === 'sale') return outcomeOfSale(deps, asked)
      return asked.type === 'refund' ? outcomeOfRefund(deps, asked) : outcomeByState(deps, asked.type, asked)
    },
    check: (signal) => checkAccount(deps, signal),
    notifications: {
      read: (request, secrets) => readStripeNotifications(deps.account, request, secrets),
      whyRefused: whyStripeIsRefused,
    },
    disputes: stripeDisputes(deps),
    authentication: {
      finish: (request) => finish(deps, request),
      abandon: (request) => endWaiting(deps, readState(request.state).intentId, request),
    },
  }
}

const UNREACHABLE = { kind: 'unreachable' } as const
const UNKNOWN = { kind: 'unknown' } as const

async function authorise(
  deps: StripeDeps,
  request: AuthorisationRequest,
): Promise<GatewayAnswer | AuthenticationNeeded> {
  const { signal, authentication } = request
  const { made } = authentication
  if (made !== null && !isEciKnown(made)) return unknownEci(made.eci)
  const created = await sendToStripe(deps, toCreation(request), signal)
  if (created.kind === 'refused') return toRefusal('', created.fault)
  const intent = readIntentOf(request, created)
  // Whatever has become of the payment: without a card nothing can be paid.
  if (intent === null) return UNREACHABLE
  const first = await confirm(deps, request, intent.id, false)
  const isWanted = first.kind === 'declined' && first.reason === 'authentication_required'
  return isWanted && mayAsk(authentication) ? confirm(deps, request, intent.id, true) : first
}

const unknownEci = (eci: string): GatewayAnswer =>
  refusal(
    '',
    'eci_not_supported',
    `Stripe takes no authentication with the ECI ${eci}`,
    'invalid_transaction',
  )

/** Gives a payment its card. */
async function confirm(
  deps: StripeDeps,
  request: AuthorisationRequest,
  intentId: string,
  isSecondTry: boolean,
): Promise<GatewayAnswer | AuthenticationNeeded> {
  const message = toConfirmation(intentId, request, isSecondTry)
  const reply = await sendToStripe(deps, message, request.signal)
  if (reply.kind === 'declined') return toDecline(intentId, reply.fault)
  if (reply.kind === 'refused') return toRefusal(intentId, reply.fault)
  const paid = readIntentOf(request, reply)
  if (paid === null) return answerWithoutOutcome(reply)
  return confirmedAnswer(paid, request, isSecondTry)
}

function confirmedAnswer(
  intent: Intent,
  { authentication }: AuthorisationRequest,
  isSecondTry: boolean,
): GatewayAnswer | AuthenticationNeeded {
  const { made } = authentication
  const answer = saleIn(intent)
  switch (answer.kind) {
    case 'approved':
      return made === null ? answer : { ...answer, authentication: resultOfMade(made) }
    case 'declined':
      return answer
    case 'asks':
      return stepOf(intent.id, answer.url, authentication, isSecondTry) ?? toRequired(intent.id)
    case 'unknown':
    case 'unpaid':
    case 'cancelled':
    case 'left':
    case 'hold_ended':
      return UNKNOWN
  }
}

/** Reads how the payment is: what was told only says when. */
async function finish(
  deps: StripeDeps,
  { attemptId, state, signal }: Parameters<Authentication['finish']>[0],
): ReturnType<Authentication['finish']> {
  const { intentId } = readState(state)
  const intent = readIntentOf({ attemptId }, await sendToStripe(deps, toReading(intentId), signal))
  if (intent === null) return UNKNOWN
  const answer = saleIn(intent)
  switch (answer.kind) {
    case 'asks':
      return { kind: 'waits' }
    case 'left':
    case 'cancelled':
      return notAuthenticated(intentId)
    case 'hold_ended':
      return holdEnded(intentId)
    case 'unpaid':
      return UNKNOWN
    case 'approved':
    case 'declined':
    case 'unknown':
      return answer
  }
}

/** Ends a payment that waits for its card holder; the answer that it has had, if it does not wait any more. */
async function endWaiting(
  deps: StripeDeps,
  intentId: string,
  sale: Pick<SaleOrder, 'attemptId'> & { signal: AbortSignal },
): Promise<GatewayAnswer> {
  const read = await sendToStripe(deps, toReading(intentId), sale.signal)
  const intent = readIntentOf(sale, read)
  if (intent === null) return UNKNOWN
  const answer = saleIn(intent)
  if (answer.kind === 'left' || answer.kind === 'cancelled') return notAuthenticated(intentId)
  if (answer.kind === 'hold_ended') return holdEnded(intentId)
  if (answer.kind !== 'asks' && answer.kind !== 'unpaid') return answer
  const isEnded = await cancelUnpaid(deps, intentId, sale.signal)
  return isEnded ? notAuthenticated(intentId) : UNKNOWN
}

async function followUp(deps: StripeDeps, type: FollowUp, request: FollowUpRequest): Promise<GatewayAnswer> {
  const reply = await sendToStripe(deps, toFollowUpRequest(type, request), request.signal)
  return answerToFollowUp(type, request, reply)
}

function answerToFollowUp(type: FollowUp, request: FollowUpRequest, reply: Reply): GatewayAnswer {
  if (reply.kind === 'refused' || reply.kind === 'declined')
    return refusalOf(type, request.sale.id, reply.fault)
  if (reply.kind !== 'answered') return answerWithoutOutcome(reply)
  const { attemptId, sale } = request
  if (type === 'refund') {
    const refund = read(Refund, reply)
    return refund?.metadata?.['attempt_id'] === attemptId ? refundIn(refund) : UNKNOWN
  }
  const intent = read(Intent, reply)
  if (intent?.id !== sale.id) return UNKNOWN
  return type === 'capture' ? captureIn(intent, attemptId) : cancelIn(intent)
}

/** Why a follow-up was refused; a cancel of what is cancelled already has come about. */
function refusalOf(type: FollowUp, saleId: string, fault: StripeFault): GatewayAnswer {
  if (isMalformed(fault)) return UNREACHABLE
  const known = v.safeParse(Intent, fault.intent)
  if (type === 'cancel' && known.success && known.output.id === saleId) {
    const cancelled = cancelIn(known.output)
    if (cancelled.kind === 'approved') return cancelled
  }
  return toRefusal(saleId, fault)
}

/** What Stripe has answered with, if it is such a thing; null for any other answer, or none. */
function read<Schema extends v.GenericSchema>(schema: Schema, reply: Reply): v.InferOutput<Schema> | null {
  if (reply.kind !== 'answered') return null
  const parsed = v.safeParse(schema, reply.body)
  return parsed.success ? parsed.output : null
}

/** The payment that Stripe has answered with, if it is this sale's. */
function readIntentOf({ attemptId }: Pick<SaleOrder, 'attemptId'>, reply: Reply): Intent | null {
  const intent = read(Intent, reply)
  return intent?.metadata['attempt_id'] === attemptId ? intent : null
}

/** If Stripe does not let us in, or has no time, nothing was moved: as if it had not been reached. */
function answerWithoutOutcome({ kind }: Reply): GatewayAnswer {
  return kind === 'unreachable' || kind === 'forbidden' || kind === 'turned_away' ? UNREACHABLE : UNKNOWN
}

type Outcome = Awaited<ReturnType<Gateway['outcomeOf']>>
type LostSale = Extract<OutcomeRequest, { type: 'sale' }>
type Lost = FollowUpRequest & { ageMs: number; minAgeMs: number }

const NOT_RECEIVED: Outcome = { kind: 'not_received' }

async function outcomeOfSale(deps: StripeDeps, sale: LostSale): Promise<Outcome> {
  if (sale.ageMs >= KEY_KEPT_MS) return UNKNOWN
  const order: SaleOrder = sale
  const created = await sendToStripe(deps, toCreation(order), sale.signal)
  if (created.kind === 'refused' && !isMalformed(created.fault)) return toRefusal('', created.fault)
  // The first request of the sale had no answer with an id in it, so its card was never sent.
  if (created.kind === 'unknown' && created.isReplayed) return NOT_RECEIVED
  const made = readIntentOf(sale, created)
  if (made === null) return UNKNOWN
  const intent = readIntentOf(sale, await sendToStripe(deps, toReading(made.id), sale.signal))
  return intent === null ? UNKNOWN : outcomeIn(deps, intent, sale.signal)
}

/** What a payment says of its sale; one that may still be paid is ended, so that a card which comes late is refused. */
async function outcomeIn(deps: StripeDeps, intent: Intent, signal: AbortSignal): Promise<Outcome> {
  const answer = saleIn(intent)
  const ended = async (outcome: Outcome) =>
    intent.status === 'canceled' || (await cancelUnpaid(deps, intent.id, signal)) ? outcome : UNKNOWN
  switch (answer.kind) {
    case 'cancelled':
    case 'unpaid':
    case 'hold_ended':
      return ended(NOT_RECEIVED)
    case 'asks':
    case 'left':
      return ended(notAuthenticated(intent.id))
    case 'declined':
      // The card may be on its way a second time.
      return answer.reason === 'authentication_required' ? ended(answer) : answer
    case 'approved':
    case 'unknown':
      return answer
  }
}

/** Ends a payment that has not been paid. If it was paid first after all, Stripe refuses; then it is read once more, later. */
async function cancelUnpaid(deps: StripeDeps, intentId: string, signal: AbortSignal): Promise<boolean> {
  const intent = read(Intent, await sendToStripe(deps, toAbandonment(intentId), signal))
  return intent?.id === intentId && intent.status === 'canceled'
}

/** A capture or cancel, by the state of the payment. */
async function outcomeByState(deps: StripeDeps, type: 'capture' | 'cancel', lost: Lost): Promise<Outcome> {
  const { attemptId, sale, signal } = lost
  const intent = read(Intent, await sendToStripe(deps, toReading(sale.id), signal))
  if (intent === null || intent.id !== sale.id) return UNKNOWN
  const done = type === 'capture' ? captureIn(intent, attemptId) : cancelIn(intent)
  if (done.kind !== 'unknown') return done
  if (intent.status === 'canceled' || intent.status === 'succeeded') return toEndedOtherwise(intent)
  if (intent.status !== 'requires_capture') return UNKNOWN
  // Without the key, under which Stripe may have kept an error of its own.
  const again = { ...toFollowUpRequest(type, lost), key: null }
  const answer = answerToFollowUp(type, lost, await sendToStripe(deps, again, signal))
  // A refusal says that the payment has changed since it was read.
  return answer.kind === 'approved' ? answer : UNKNOWN
}

async function outcomeOfRefund(deps: StripeDeps, lost: Lost): Promise<Outcome> {
  const { attemptId, sale, signal, ageMs, minAgeMs } = lost
  const list = read(RefundList, await sendToStripe(deps, toRefundList(sale.id), signal))
  if (list === null) return UNKNOWN
  const found = list.data.find(({ metadata }) => metadata?.['attempt_id'] === attemptId)
  if (found !== undefined) return refundIn(found)
  if (list.has_more) return UNKNOWN
  const isSettled = minAgeMs >= deps.settleMs
  if (ageMs >= KEY_KEPT_MS) return isSettled ? NOT_RECEIVED : UNKNOWN
  const reply = await sendToStripe(deps, toFollowUpRequest('refund', lost), signal)
  if (reply.kind === 'unknown' && reply.isReplayed && isSettled) return NOT_RECEIVED
  const answer = answerToFollowUp('refund', lost, reply)
  return answer.kind === 'unreachable' ? UNKNOWN : answer
}

const Account = v.object({ id: v.string(), charges_enabled: v.optional(v.boolean(), true) })

/** Asks which account the key is of. */
async function checkAccount(deps: StripeDeps, signal: AbortSignal): Promise<GatewayCheck> {
  const reply = await sendToStripe(deps, { method: 'GET', path: '/v1/account' }, signal)
  switch (reply.kind) {
    case 'answered':
      return accountInWords(deps.account.merchant_account, read(Account, reply))
    case 'forbidden':
    case 'refused':
    case 'declined':
      return { kind: 'refused', message: refusalInWords(reply), path: 'api_key' }
    case 'unreachable':
      return reply
    case 'turned_away':
    case 'unknown':
      return { kind: 'unreachable' }
  }
}

function accountInWords(entered: string, account: v.InferOutput<typeof Account> | null): GatewayCheck {
  if (account === null) return { kind: 'unreachable' }
  if (account.id !== entered)
    return {
      kind: 'refused',
      message: `The key is of the account ${account.id}, and ${entered} was entered.`,
      path: 'merchant_account',
    }
  if (!account.charges_enabled)
    return {
      kind: 'refused',
      message: 'Stripe lets this account take no payments yet: complete it in Stripe’s Dashboard.',
    }
  return { kind: 'works' }
}

/** 401 is about the key; a restricted key that may not do something gets 403. */
function refusalInWords({
  status,
  fault,
}: Extract<Reply, { kind: 'forbidden' | 'refused' | 'declined' }>): string {
  return status === 401
    ? 'Stripe does not let the key in (HTTP 401).'
    : `Stripe refuses the account (HTTP ${status}): ${fault.message}`
}
