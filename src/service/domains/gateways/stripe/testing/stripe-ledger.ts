import { randomBytes, randomUUID } from 'node:crypto'
import * as v from 'valibot'
import type { DoubleAnswer } from '../../testing/double-faults.ts'
import type { AtBank, Books, PaymentAtGateway } from '../../testing/gateway-bed.ts'
import { intentLike, chargeLike, refundLike } from './stripe-shapes.ts'

/** The double's own books, what each request does to them, and the events of it; nothing here knows of keys or connections. */
export interface StripeLedger {
  /** `params`: of a form, nested as its names say. */
  apply: (method: string, path: string, params: unknown) => DoubleAnswer
  /** The events that it has to tell of what it did, oldest first. */
  told: ToldEvent[]
  /** The last refund of a payment fails, after it was carried out. */
  failLater: (attemptId: string) => void
  /** The card holder of an attempt ends the bank's page; what comes back by the browser. */
  visit: (attemptId: string, does: AtBank) => Readonly<Record<string, string>>
  /** Releases what is held, as once its time is over. */
  expire: (attemptId: string) => void
  /** The books of each payment that was held or taken under an attempt's id. */
  booksOf: (attemptId: string) => Books[]
  /** Each payment that was held or taken, with the attempt's id that its metadata has. */
  payments: () => PaymentAtGateway[]
  /** The id of the payment that an attempt made. */
  paymentIdOf: (attemptId: string) => string
}

/** An event, before it is signed. */
export interface ToldEvent {
  id: string
  type: string
  /** The id of the object that it shows. */
  about: string
  object: object
}

interface Payment {
  id: string
  amount: number
  captureMethod: string
  metadata: Record<string, string>
  status: 'requires_payment_method' | 'requires_action' | 'requires_capture' | 'succeeded' | 'canceled'
  /** The card that it was confirmed with, and was not declined. */
  card: string | null
  /** What the card holder's bank said. */
  threeDSecure: object | null
  ending: string | null
  /** The charge that the card's issuer let through. */
  chargeId: string | null
  /** Of its last try, where that was declined. */
  failedChargeId: string | null
  error: CardError | null
  taken: number
  /** Its refunds stay under way. */
  isSlow: boolean
  /** The newest first. */
  refunds: Refund[]
  /** Tells of what became of it. */
  tell: (...events: readonly (readonly [type: string, about: string, object: object])[]) => void
}

interface Refund {
  id: string
  amount: number
  status: string
  metadata: Record<string, string>
  failure?: string
}

interface CardError {
  code: string
  decline_code?: string
  message: string
}

const DECLINED = 'Your card was declined.'
const declinedFor = (declineCode: string): CardError => ({
  code: 'card_declined',
  decline_code: declineCode,
  message: DECLINED,
})

/** Stripe's own test cards (docs.stripe.com/testing); every other card is good. */
const DECLINED_CARDS: Readonly<Record<string, CardError>> = {
  '4000000000000002': declinedFor('generic_decline'),
  '4000000000009995': declinedFor('insufficient_funds'),
  '4000000000009987': declinedFor('lost_card'),
  '4000000000000069': {
    code: 'expired_card',
    decline_code: 'expired_card',
    message: 'Your card has expired.',
  },
  '4000000000000127': { code: 'incorrect_cvc', message: "Your card's security code is incorrect." },
  '4242424242424241': { code: 'incorrect_number', message: 'Your card number is incorrect.' },
  '4100000000000019': declinedFor('fraudulent'),
}
const REQUIRED: CardError = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
}
/** Of a card holder who is to be asked, where that was to be an error (docs.stripe.com, "Upgrade to handle authentication"). */
const NOT_HANDLED: CardError = {
  code: 'authentication_required',
  decline_code: 'authentication_not_handled',
  message:
    'This payment required an authentication action to complete, but `error_on_requires_action` was set.',
}
const NOT_AUTHENTICATED: CardError = {
  code: 'payment_intent_authentication_failure',
  message: 'We are unable to authenticate your payment method.',
}
/** Its card holder is always asked (docs.stripe.com/testing). */
const ASKS = '4000002760003184'
/** Its bank declines what comes without authentication. */
const INSISTS = '4000002500003155'
/** Refunds to it are under way until they are settled. */
const PENDING_REFUNDS = '4000000000007726'

const Whole = v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1))
const Words = v.record(v.string(), v.string())
const Creation = v.object({ amount: Whole, capture_method: v.string(), metadata: Words })
const Confirmation = v.object({
  payment_method_data: v.object({ card: v.object({ number: v.string() }) }),
  return_url: v.optional(v.string()),
  payment_method_options: v.optional(
    v.object({
      card: v.object({
        request_three_d_secure: v.optional(v.string()),
        three_d_secure: v.optional(v.object({ transaction_id: v.string() })),
      }),
    }),
    { card: {} },
  ),
})
const Capture = v.object({ amount_to_capture: v.optional(Whole), metadata: v.optional(Words, {}) })
const Cancel = v.object({ cancellation_reason: v.optional(v.string()) })
const RefundOrder = v.object({ payment_intent: v.string(), amount: Whole, metadata: v.optional(Words, {}) })

const newId = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`
/** The least that Stripe takes in Australian dollars. */
const LEAST = 50

export function createStripeLedger(): StripeLedger {
  const payments = new Map<string, Payment>()
  const told: ToldEvent[] = []
  const tell: Payment['tell'] = (...events) => {
    for (const [type, about, object] of events) told.push({ id: newId('evt'), type, about, object })
  }
  const paid = () => [...payments.values()].filter(({ chargeId }) => chargeId !== null)
  const under = (attemptId: string) => paid().filter(({ metadata }) => metadata['attempt_id'] === attemptId)
  return {
    told,
    visit(attemptId, does) {
      const payment = [...payments.values()].find(({ metadata }) => metadata['attempt_id'] === attemptId)
      if (payment === undefined) throw new Error(`no payment was made by ${attemptId}`)
      if (payment.status === 'requires_action') endBankPage(payment, does)
      return { payment_intent: payment.id, payment_intent_client_secret: `${payment.id}_secret_x` }
    },
    failLater: (attemptId) => under(attemptId).forEach(failRefund),
    expire: (attemptId) => under(attemptId).forEach(expire),
    apply(method, url, params) {
      const [path = '', query = ''] = url.split('?')
      if (path === '/v1/payment_intents') return create(payments, params, tell)
      if (path === '/v1/refunds')
        return method === 'GET' ? listRefunds(payments, new URLSearchParams(query)) : refund(payments, params)
      const [, id = '', step = 'read'] = /^\/v1\/payment_intents\/([^/]+)(?:\/(\w+))?$/.exec(path) ?? []
      const payment = payments.get(id)
      return payment === undefined ? missing(id) : (STEPS[step] ?? read)(payment, params)
    },
    booksOf: (attemptId) => under(attemptId).map(toBooks),
    payments: () => paid().map(({ id, metadata }) => ({ id, reference: metadata['attempt_id'] ?? '' })),
    paymentIdOf(attemptId) {
      const payment = paid().find(({ metadata }) => metadata['attempt_id'] === attemptId)
      if (payment === undefined) throw new Error(`no payment was made by ${attemptId}`)
      return payment.id
    },
  }
}

type Payments = Map<string, Payment>

function create(payments: Payments, params: unknown, tell: Payment['tell']): DoubleAnswer {
  const { amount, capture_method: captureMethod, metadata } = v.parse(Creation, params)
  if (amount < LEAST)
    return refused(400, 'amount_too_small', 'Amount must be at least $0.50 aud', { param: 'amount' })
  const payment: Payment = {
    ...{ id: newId('pi'), amount, captureMethod, metadata, status: 'requires_payment_method' },
    ...{
      card: null,
      threeDSecure: null,
      ending: null,
      chargeId: null,
      failedChargeId: null,
      error: null,
      taken: 0,
      isSlow: false,
      refunds: [],
      tell,
    },
  }
  payments.set(payment.id, payment)
  tell(['payment_intent.created', payment.id, toIntent(payment)])
  return read(payment)
}

function read(payment: Payment): DoubleAnswer {
  return { status: 200, body: toIntent(payment) }
}

function confirm(payment: Payment, params: unknown): DoubleAnswer {
  if (payment.status !== 'requires_payment_method') return unexpectedState(payment, 'confirm')
  const order = v.parse(Confirmation, params)
  const { number } = order.payment_method_data.card
  payment.card = number
  const isElsewhere = order.payment_method_options.card.three_d_secure !== undefined
  const asks = isElsewhere ? 'nobody' : askedOf(order)
  const error = asks === 'holder' || asks === 'nobody' ? DECLINED_CARDS[number] : asks
  if (error !== undefined) return decline(payment, error)
  payment.error = null
  if (asks === 'holder') {
    payment.status = 'requires_action'
    payment.tell(['payment_intent.requires_action', payment.id, toIntent(payment)])
  } else pay(payment)
  return read(payment)
}

function askedOf(order: v.InferOutput<typeof Confirmation>): 'holder' | 'nobody' | CardError {
  const { number } = order.payment_method_data.card
  const wish = order.payment_method_options.card.request_three_d_secure
  const isForced = wish === 'challenge' || wish === 'any'
  const mayAsk = order.return_url !== undefined
  if (number === INSISTS && !isForced) return REQUIRED
  if (number === ASKS) return mayAsk ? 'holder' : NOT_HANDLED
  return isForced && mayAsk ? 'holder' : 'nobody'
}

function decline(payment: Payment, error: CardError): DoubleAnswer {
  payment.error = error
  payment.card = null
  payment.failedChargeId = newId('ch')
  payment.status = 'requires_payment_method'
  payment.tell(['payment_intent.payment_failed', payment.id, toIntent(payment)])
  return { status: 402, body: { error: { ...error, type: 'card_error', payment_intent: toIntent(payment) } } }
}

/** The payment goes on by itself, before the browser is back. */
function endBankPage(payment: Payment, does: AtBank): void {
  if (does !== 'passes') decline(payment, NOT_AUTHENTICATED)
  else {
    payment.threeDSecure = {
      ...{ authentication_flow: 'challenge', electronic_commerce_indicator: '05', exemption_indicator: null },
      ...{ result: 'authenticated', result_reason: null, version: '2.2.0', transaction_id: randomUUID() },
    }
    pay(payment)
  }
}

function pay(payment: Payment): void {
  payment.chargeId = newId('ch')
  payment.status = payment.captureMethod === 'manual' ? 'requires_capture' : 'succeeded'
  payment.taken = payment.status === 'succeeded' ? payment.amount : 0
  payment.isSlow = payment.card === PENDING_REFUNDS
  const isHeld = payment.status === 'requires_capture'
  payment.tell(
    ['charge.succeeded', payment.chargeId, toCharge(payment, payment.chargeId)],
    [
      isHeld ? 'payment_intent.amount_capturable_updated' : 'payment_intent.succeeded',
      payment.id,
      toIntent(payment),
    ],
  )
}

function capture(payment: Payment, params: unknown): DoubleAnswer {
  const { amount_to_capture: amount = payment.amount, metadata } = v.parse(Capture, params)
  if (payment.status !== 'requires_capture') return unexpectedState(payment, 'capture')
  if (amount > payment.amount)
    return refused(400, 'amount_too_large', 'Amount is greater than what was authorised', {
      param: 'amount_to_capture',
    })
  payment.status = 'succeeded'
  payment.taken = amount
  payment.metadata = { ...payment.metadata, ...metadata }
  payment.tell(
    ['charge.captured', payment.chargeId ?? '', toCharge(payment, payment.chargeId ?? '')],
    ['payment_intent.succeeded', payment.id, toIntent(payment)],
  )
  return read(payment)
}

function cancel(payment: Payment, params: unknown): DoubleAnswer {
  const { cancellation_reason: ending = null } = v.parse(Cancel, params)
  if (payment.status === 'succeeded' || payment.status === 'canceled')
    return unexpectedState(payment, 'cancel')
  payment.status = 'canceled'
  payment.ending = ending
  payment.tell(['payment_intent.canceled', payment.id, toIntent(payment)])
  return read(payment)
}

/** Stripe ends by itself what nobody captured in time. */
function expire(payment: Payment): void {
  if (payment.status !== 'requires_capture') return
  payment.status = 'canceled'
  payment.ending = 'automatic'
  payment.tell(
    ['charge.expired', payment.chargeId ?? '', toCharge(payment, payment.chargeId ?? '')],
    ['payment_intent.canceled', payment.id, toIntent(payment)],
  )
}

/** A bank may send a refund back days later: three events say so. */
function failRefund(payment: Payment): void {
  const last = payment.refunds.find(isGiven)
  if (last === undefined) return
  last.status = 'failed'
  last.failure = 'lost_or_stolen_card'
  const failed = toRefund(payment, last)
  payment.tell(
    ['refund.failed', last.id, failed],
    ['refund.updated', last.id, failed],
    ['charge.refund.updated', last.id, failed],
  )
}

const STEPS: Readonly<Record<string, (payment: Payment, params: unknown) => DoubleAnswer>> = {
  read,
  confirm,
  capture,
  cancel,
}

function refund(payments: Payments, params: unknown): DoubleAnswer {
  const { payment_intent: id, amount, metadata } = v.parse(RefundOrder, params)
  const payment = payments.get(id)
  if (payment === undefined) return missing(id)
  if (payment.status !== 'succeeded')
    return refused(400, 'charge_not_refundable', 'This PaymentIntent does not have a successful charge')
  if (amount > payment.taken - toBooks(payment).refunded)
    return refused(400, '', 'Refund amount is greater than unrefunded amount on charge', { param: 'amount' })
  const made = { id: newId('re'), amount, status: payment.isSlow ? 'pending' : 'succeeded', metadata }
  payment.refunds.unshift(made)
  payment.tell(
    ['refund.created', made.id, toRefund(payment, made)],
    ['charge.refunded', payment.chargeId ?? '', toCharge(payment, payment.chargeId ?? '')],
  )
  return { status: 200, body: toRefund(payment, made) }
}

function listRefunds(payments: Payments, query: URLSearchParams): DoubleAnswer {
  const payment = payments.get(query.get('payment_intent') ?? '')
  const most = Number(query.get('limit') ?? 10)
  const all = payment === undefined ? [] : payment.refunds.map((one) => toRefund(payment, one))
  const data = all.slice(0, most)
  const list = { object: 'list', data, has_more: all.length > data.length, url: '/v1/refunds' }
  return { status: 200, body: list }
}

const missing = (id: string) => refused(404, 'resource_missing', `No such payment_intent: '${id}'`)

function refused(status: number, code: string, message: string, more: object = {}): DoubleAnswer {
  const error = { type: 'invalid_request_error', ...(code !== '' && { code }), message, ...more }
  return { status, body: { error } }
}

function unexpectedState(payment: Payment, step: string): DoubleAnswer {
  const message = `This PaymentIntent could not be ${step}ed because it has a status of ${payment.status}.`
  return refused(400, 'payment_intent_unexpected_state', message, { payment_intent: toIntent(payment) })
}

function toIntent(payment: Payment): object {
  const { id, amount, captureMethod, metadata, status, ending, error, taken } = payment
  return intentLike({
    ...{ id, amount, metadata, status },
    amount_capturable: status === 'requires_capture' ? amount : 0,
    amount_received: taken,
    capture_method: captureMethod,
    cancellation_reason: ending,
    payment_method: payment.card === null ? null : `pm_${id.slice(3)}`,
    next_action: status === 'requires_action' ? bankPageOf(payment) : null,
    last_payment_error: error === null ? null : { ...error, type: 'card_error' },
    latest_charge: toLatestCharge(payment),
  })
}

function toLatestCharge(payment: Payment): object | null {
  const { chargeId, failedChargeId } = payment
  if (chargeId !== null) return toCharge(payment, chargeId)
  if (failedChargeId === null) return null
  return { ...toCharge(payment, failedChargeId), status: 'failed', paid: false }
}

const bankPageOf = ({ id }: Payment) => ({
  type: 'redirect_to_url',
  redirect_to_url: { url: `https://hooks.stripe.com/3d_secure_2/${id}`, return_url: null },
})

/** Its metadata are those that the payment had when the card paid it. */
const toCharge = ({ id, amount, taken, refunds, metadata, threeDSecure }: Payment, chargeId: string) =>
  chargeLike(
    {
      id: chargeId,
      metadata: { attempt_id: metadata['attempt_id'] },
      amount,
      payment_intent: id,
      captured: taken > 0,
      amount_captured: taken,
      amount_refunded: givenBack(refunds),
    },
    threeDSecure,
  )

function toRefund({ id, chargeId }: Payment, made: Refund): object {
  const { amount, status, metadata, failure } = made
  const failed = failure === undefined ? {} : { failure_reason: failure }
  const ofPayment = { payment_intent: id, charge: chargeId ?? '' }
  return refundLike({ id: made.id, amount, status, metadata, ...ofPayment, ...failed })
}

const isGiven = ({ status }: Refund) => status !== 'failed'
const givenBack = (refunds: readonly Refund[]) =>
  refunds.filter(isGiven).reduce((sum, { amount }) => sum + amount, 0)

function toBooks({ status, amount, taken, refunds }: Payment): Books {
  return {
    held: status === 'requires_capture' ? amount : 0,
    taken,
    refunded: givenBack(refunds),
  }
}
