import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import { CentsLeft } from '../../../../contract/api/fields/amount.ts'
import { parsedOnce } from '../../../platform/http/requests/bodies.ts'
import type {
  AccountCredentials,
  DeclineReason,
  News,
  NotificationRequest,
  NotificationSecrets,
  NotificationSetup,
} from '../gateway.ts'
import { API_VERSION, isLive, shownWords } from './stripe-api.ts'
import { toToldDispute, ToldStripeDispute, UnixSeconds } from './stripe-disputes.ts'
import { declineReasonOf, ENDED_BY_STRIPE, errorOf, HOLD_SECONDS, Intent, Refund } from './stripe-messages.ts'

/** How old a signature may be, in seconds; as much as Stripe's own package takes. */
const TOLERANCE_SECONDS = 300

/**
 * The news of one of Stripe's events; null if it is not proved to be Stripe's, or is older than five minutes. The signature is checked over
 * the raw bytes, before they are read.
 */
export function readStripeNotifications(
  account: Pick<AccountCredentials, 'api_key' | 'merchant_account'>,
  { headers, body, now }: NotificationRequest,
  { signingKeys }: NotificationSecrets,
): readonly News[] | null {
  if (!isSigned(String(headers['stripe-signature']), { body, now }, signingKeys)) return null
  const event = v.safeParse(Event, parsedOnce(body))
  if (event.success) return [toNews(account, event.output)]
  const key = createHash('sha256').update(body).digest('hex')
  const why = 'Stripe sent something that is no event.'
  return [{ ...OF_NOTHING, key, name: 'unreadable', at: now, says: { kind: 'unknown', why }, sent: null }]
}

/** Says what to put right where `readStripeNotifications` gives null, by the same steps. */
export function whyStripeIsRefused(
  { headers, body }: NotificationRequest,
  { signingKeys }: Pick<NotificationSecrets, 'signingKeys'>,
): string {
  const header = headers['stripe-signature']
  if (header === undefined)
    return 'It came without Stripe’s signature. Either something else than Stripe has sent it, or a proxy in front of this service takes the header Stripe-Signature away.'
  const sentAt = new Date(Number(/(?:^|,)\s*t=(\d{1,12})/.exec(String(header))?.[1] ?? 0) * 1000)
  return isSigned(String(header), { body, now: sentAt }, signingKeys)
    ? 'Its signature is more than five minutes old, or of a time to come. Set the clock of this service right.'
    : 'It is signed by another secret than the one that was entered here, or a proxy in front of this service has changed it. Enter the signing secret that this endpoint has at Stripe.'
}

/** How an endpoint is added in Stripe's Dashboard (docs.stripe.com, "Receive Stripe events in your webhook endpoint"). */
export const stripeSetup: NotificationSetup = {
  hasPassword: false,
  signingKey: {
    name: 'Signing secret',
    finding: 'On the page of the endpoint at Stripe, under Signing secret. It begins with whsec_.',
    faultOf: (key) =>
      /^whsec_\w{8,}$/.test(key)
        ? null
        : 'must be the signing secret of an endpoint, which begins with whsec_',
  },
  steps: [
    'In Stripe’s Dashboard open Developers, Webhooks, and add a destination for events of your own account. Mind test mode and live: each has endpoints of its own.',
    `Choose the API version ${API_VERSION}, in which this service reads events.`,
    'Choose the events that are named here: all that begin with these words.',
    'Choose Webhook endpoint, enter the address as its URL, and create it.',
    'On its page reveal the signing secret, and copy it.',
  ],
  events: ['payment_intent.*', 'charge.*', 'refund.*'],
  test: 'At Stripe make any test payment, or run “stripe trigger charge.updated” of Stripe’s command line: an event arrives within seconds.',
}

/** Whether one of the keys has made one of the signatures (docs.stripe.com, "Verify webhook signatures manually"). */
function isSigned(
  header: string,
  { body, now }: Pick<NotificationRequest, 'body' | 'now'>,
  signingKeys: readonly string[],
): boolean {
  const parts = header.split(',').map((part) => part.trim().split('='))
  const valuesOf = (name: string) => parts.filter(([key]) => key === name).map(([, value = '']) => value)
  const [time = ''] = valuesOf('t')
  const isRecent = Math.abs(now.getTime() / 1000 - Number(time)) <= TOLERANCE_SECONDS
  const rights = signingKeys.map((key) => createHmac('sha256', key).update(`${time}.`).update(body).digest())
  const isRight = valuesOf('v1')
    .slice(0, MAX_SIGNATURES)
    .flatMap((given) => rights.map((right) => isSame(Buffer.from(given, 'hex'), right)))
    .includes(true)
  return isRecent && isRight
}

/** More than Stripe sends while a secret is replaced. */
const MAX_SIGNATURES = 10

const isSame = (given: Buffer, right: Buffer) =>
  given.length === right.length && timingSafeEqual(given, right)

const named = v.pipe(v.string(), v.nonEmpty(), v.maxLength(100))
const Event = v.looseObject({
  id: named,
  object: v.literal('event'),
  type: named,
  created: UnixSeconds,
  livemode: v.boolean(),
  /** The connected account that it is of; absent from an account's own events. */
  account: v.optional(v.string()),
  data: v.looseObject({ object: v.unknown() }),
})
type Event = v.InferOutput<typeof Event>

const ToldIntent = v.object({
  ...Intent.entries,
  amount: v.number(),
  amount_capturable: v.number(),
  amount_received: v.number(),
  capture_method: v.string(),
  currency: v.string(),
})
const ToldCharge = v.object({
  id: named,
  object: v.literal('charge'),
  payment_intent: v.nullish(v.string()),
  amount: v.number(),
  amount_captured: v.number(),
  currency: v.string(),
  metadata: v.record(v.string(), v.string()),
})
const ToldRefund = v.object({
  ...Refund.entries,
  payment_intent: v.nullish(v.string()),
  amount: v.number(),
  currency: v.string(),
})
type ToldIntent = v.InferOutput<typeof ToldIntent>
type ToldCharge = v.InferOutput<typeof ToldCharge>
type ToldRefund = v.InferOutput<typeof ToldRefund>

/** What an event says, and of what; `key` where several events say the same. */
type Reading = Pick<News, 'attemptId' | 'saleId' | 'externalId' | 'says'> & {
  key?: string
  amount: number | null
  currency: string | null
}
const OF_NOTHING = { attemptId: null, saleId: null, externalId: '', amount: null, currency: null }
const NOTHING: Reading = { ...OF_NOTHING, says: { kind: 'nothing' } }

function toNews(account: Pick<AccountCredentials, 'api_key' | 'merchant_account'>, event: Event): News {
  const { key, amount, currency, ...told } = misdirected(account, event) ?? readingOf(event)
  const cents = v.safeParse(CentsLeft, amount)
  return {
    ...told,
    key: key ?? event.id,
    name: event.type,
    at: new Date(event.created * 1000),
    amount: cents.success ? cents.output : null,
    currency: currency?.toUpperCase() ?? null,
    sent: withoutClientSecrets(event),
  }
}

/** Without what lets a browser go on with a payment (`pi_…_secret_…`), which also stands within addresses. */
function withoutClientSecrets(sent: unknown): unknown {
  if (typeof sent === 'string') return sent.replace(/\b\w+_secret_\w+/g, '[secret]')
  if (Array.isArray(sent)) return sent.map(withoutClientSecrets)
  if (typeof sent !== 'object' || sent === null) return sent
  return Object.fromEntries(
    Object.entries(sent)
      .filter(([name]) => name !== 'client_secret')
      .map(([name, inner]) => [name, withoutClientSecrets(inner)]),
  )
}

const unknown = (why: string): Reading => ({ ...OF_NOTHING, says: { kind: 'unknown', why } })

/** An event that is signed, and of another account. */
function misdirected(
  { api_key, merchant_account }: Pick<AccountCredentials, 'api_key' | 'merchant_account'>,
  event: Event,
): Reading | null {
  if (event.account !== undefined && event.account !== merchant_account)
    return unknown(
      'It is of another account. At Stripe, have this endpoint listen to events of your account alone.',
    )
  if (event.livemode === isLive(api_key)) return null
  return unknown(`It is of Stripe's ${event.livemode ? 'live' : 'test'} mode, and this account's key is not.`)
}

function readingOf({ type, data }: Event): Reading {
  if (type.startsWith('charge.dispute.')) return disputeOf(type, data.object)
  const read = Object.hasOwn(SAYS, type) ? SAYS[type] : undefined
  if (read !== undefined)
    return read(data.object) ?? unknown(`Stripe sent ${type}, and it is not as documented.`)
  // An endpoint may listen to all that happens at an account.
  if (!/^(?:charge|payment_intent|refund)\./.test(type)) return NOTHING
  return unknown(`The service does not know Stripe's event ${shownWords(type)}.`)
}

function disputeOf(type: string, resource: unknown): Reading {
  const parsed = v.safeParse(ToldStripeDispute, resource)
  if (!parsed.success) return unknown('Stripe sent a dispute that is not as documented.')
  const { id, payment_intent: saleId, amount, currency, status } = parsed.output
  const says = toToldDispute(type, parsed.output)
  if (says === null)
    return unknown(`The service does not know the status ${shownWords(status)} of Stripe's disputes.`)
  return { attemptId: null, saleId: saleId ?? null, externalId: id, amount, currency, says }
}

type MovementType = Extract<News['says'], { kind: 'movement' }>['type']

function movement(type: MovementType, isDone: boolean, code: string, description = code): News['says'] {
  return { kind: 'movement', type, isDone, code, description, holdSeconds: 0 }
}

/** Of a sale the payment itself tells more, such as what the card holder's bank said. */
function sale(
  isDone: boolean,
  code: string,
  refused: { description?: string; reason?: DeclineReason } = {},
): News['says'] {
  const says = { type: 'sale', isDone, code, description: code, holdSeconds: HOLD_SECONDS } as const
  return { kind: 'movement', ...says, isAskedAbout: true, ...refused }
}

/** Reads an event about a payment; one that was not made here says nothing. */
const ofIntent =
  (read: (intent: ToldIntent) => (Pick<Reading, 'says'> & { amount: number }) | null) =>
  (resource: unknown): Reading | null => {
    const parsed = v.safeParse(ToldIntent, resource)
    if (!parsed.success) return null
    const { id, metadata, currency } = parsed.output
    const attemptId = metadata['attempt_id']
    const said = attemptId === undefined ? null : read(parsed.output)
    if (attemptId === undefined || said === null) return NOTHING
    return { attemptId, saleId: id, externalId: id, currency, ...said }
  }

const ofCharge =
  (read: (charge: ToldCharge) => Pick<Reading, 'says' | 'key'> & { amount: number }) =>
  (resource: unknown): Reading | null => {
    const parsed = v.safeParse(ToldCharge, resource)
    if (!parsed.success) return null
    const { id, metadata, payment_intent: saleId, currency } = parsed.output
    const attemptId = metadata['attempt_id']
    if (attemptId === undefined || saleId === undefined || saleId === null) return NOTHING
    return { attemptId, saleId, externalId: id, currency, ...read(parsed.output) }
  }

/** A refund by hand names no attempt: its payment tells whose it is. */
const ofRefund =
  (read: (refund: ToldRefund) => Pick<Reading, 'says' | 'key'> | null) =>
  (resource: unknown): Reading | null => {
    const parsed = v.safeParse(ToldRefund, resource)
    if (!parsed.success) return null
    const { id, metadata, payment_intent: saleId, amount, currency } = parsed.output
    const said = saleId === undefined || saleId === null ? null : read(parsed.output)
    if (said === null || saleId === undefined || saleId === null) return NOTHING
    return { attemptId: metadata?.['attempt_id'] ?? null, saleId, externalId: id, amount, currency, ...said }
  }

const nothing = () => NOTHING

/** Three events tell that a refund has failed: they are one piece of news. */
const failedRefund = ofRefund(({ id, status, failure_reason: reason }) => {
  if (status !== 'failed' && status !== 'canceled') return null
  const code = shownWords(reason ?? status)
  return {
    key: `refund failed ${id}`,
    says: movement('refund', false, code, `The refund is ${status}: ${code}`),
  }
})

const ended = ofIntent((intent) => {
  const { amount, latest_charge: charge, last_payment_error: error, cancellation_reason: ending } = intent
  // Nothing was held: the service ends by itself what was never paid.
  if (charge === null || charge === undefined || error) return null
  if (ENDED_BY_STRIPE.has(ending ?? '')) return { amount, says: { kind: 'hold_ended' } }
  return { amount, says: movement('cancel', true, 'canceled') }
})

/** What each of Stripe's events about payments says (docs.stripe.com, "Types of events"). Those of disputes: stripe-disputes.ts. */
const SAYS: Readonly<Record<string, (resource: unknown) => Reading | null>> = {
  'payment_intent.amount_capturable_updated': ofIntent(({ amount, amount_capturable: held }) =>
    held === amount
      ? { amount, says: sale(true, 'requires_capture') }
      : { amount: held, says: { kind: 'authorisation_changed' } },
  ),
  // Of a hold that was taken, charge.captured tells.
  'payment_intent.succeeded': ofIntent(({ amount_received: amount, capture_method: method }) =>
    method === 'manual' ? null : { amount, says: sale(true, 'succeeded') },
  ),
  'payment_intent.payment_failed': ofIntent(({ amount, last_payment_error: error }) => {
    const { code, declineCode, message } = errorOf(error ?? {})
    const said = declineCode || code || 'declined'
    const reason = declineReasonOf(said)
    // The service may ask the card holder now, and what becomes of that is told by itself.
    if (reason === 'authentication_required') return null
    return { amount, says: sale(false, said, { description: message || said, reason }) }
  }),
  'payment_intent.canceled': ended,
  'charge.captured': ofCharge(({ amount_captured: amount }) => ({
    amount,
    says: movement('capture', true, 'succeeded'),
  })),
  'charge.expired': ofCharge(({ amount }) => ({ amount, says: { kind: 'hold_ended' } })),
  'refund.created': ofRefund(({ status }) =>
    status === 'succeeded' || status === 'pending' ? { says: movement('refund', true, status) } : null,
  ),
  'refund.failed': failedRefund,
  'refund.updated': failedRefund,
  'charge.refund.updated': failedRefund,
  // Which refund it was, refund.created tells.
  'charge.refunded': nothing,
  'charge.failed': nothing,
  'charge.pending': nothing,
  'charge.succeeded': nothing,
  'charge.updated': nothing,
  'payment_intent.created': nothing,
  'payment_intent.partially_funded': nothing,
  'payment_intent.processing': nothing,
  'payment_intent.requires_action': nothing,
}
