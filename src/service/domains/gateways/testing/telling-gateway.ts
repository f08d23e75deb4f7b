import type { NotificationSecrets } from '../gateway.ts'
import { startAdyenDouble } from '../adyen/testing/adyen-double.ts'
import { toldOf } from '../adyen/testing/double-ledger.ts'
import { signedNotification } from '../adyen/testing/signed-notification.ts'
import { signedEvent } from '../stripe/testing/dispute-ledger.ts'
import { movesMoney } from '../stripe/testing/stripe-bed.ts'
import { startStripeDouble } from '../stripe/testing/stripe-double.ts'
import type { ToldEvent } from '../stripe/testing/stripe-ledger.ts'
import { chargeLike } from '../stripe/testing/stripe-shapes.ts'
import type { DoubleFault } from './double-faults.ts'
import type { Books, PaymentAtGateway } from './gateway-bed.ts'

/** What happens to a payment at its gateway, without the service having asked for it. */
export const HAPPENINGS = [
  'captured by hand',
  'cancelled by hand',
  'refunded by hand',
  'capture fails',
  'refund fails',
  'hold ends',
  'next is refused',
] as const
export type Happening = (typeof HAPPENINGS)[number]

/** One request of a gateway with news. It is signed when it is sent. */
export interface Parcel {
  /** One for each piece of news. Stripe tells some in several events. */
  keys: readonly string[]
  signed: (secrets: NotificationSecrets) => { headers: Record<string, string>; body: string }
}

/** A gateway's double that moves payments of its own accord, and tells of all that it does. */
export interface TellingGateway {
  type: 'adyen' | 'stripe'
  account: { apiKey: string; merchantAccount: string; baseUrl: string }
  payments: () => PaymentAtGateway[]
  /** Nothing happens where a payment can't do that. `cents`: of a capture or refund. */
  happen: (what: Happening, payment: PaymentAtGateway, cents: number) => void
  /** What it has to tell since it was asked last. */
  takeParcels: () => Parcel[]
  /** News that the payment's hold is over, which never happened. */
  lieAbout: (payment: PaymentAtGateway) => Parcel
  booksOf: (reference: string) => Books[]
  /** The next request that moves money meets a fault. */
  breakNext: (fault: DoubleFault) => void
  /** No request meets a fault any more. */
  heal: () => void
  /** Whether a request about an attempt has ever reached it. */
  knows: (attemptId: string) => boolean
  close: () => Promise<void>
}

/** A word that only lies hold. */
export const LIE = 'ALIE'

const quiet = () => undefined
const ACCOUNT = 'Acme'
const MOST_ITEMS = 3

/** Adyen, which only receives captures, cancels and refunds, and tells later what became of them: up to three items to a notification. */
export async function startTellingAdyen(): Promise<TellingGateway> {
  const apiKey = 'right'
  const { ledger, baseUrl, requests, breakNext, heal, close } = await startAdyenDouble({ apiKey })
  const modify = (what: string) => (payment: PaymentAtGateway, cents: number) => {
    const amount = { currency: 'AUD', value: cents }
    const body = { merchantAccount: ACCOUNT, reference: 'by hand' }
    ledger.apply(`/payments/${payment.id}/${what}`, what === 'cancels' ? body : { ...body, amount })
  }
  const happenings: Record<Happening, (payment: PaymentAtGateway, cents: number) => void> = {
    'captured by hand': modify('captures'),
    'cancelled by hand': modify('cancels'),
    'refunded by hand': modify('refunds'),
    'capture fails': ({ reference }) => ledger.failLater(reference, 'captures'),
    'refund fails': ({ reference }) => ledger.failLater(reference, 'refunds'),
    'hold ends': ({ reference }) => ledger.expire(reference),
    'next is refused': ledger.refuseNext,
  }
  return {
    type: 'adyen',
    account: { apiKey, merchantAccount: ACCOUNT, baseUrl },
    payments: ledger.payments,
    happen: (what, payment, cents) => happenings[what](payment, cents),
    takeParcels() {
      const told = ledger.told.splice(0)
      return Array.from({ length: Math.ceil(told.length / MOST_ITEMS) }, (_, at) => {
        const items = told.slice(at * MOST_ITEMS, (at + 1) * MOST_ITEMS)
        const keys = items.map((one) => `${one.eventCode} ${one.pspReference}`)
        return { keys, signed: (secrets) => signedNotification(items, secrets) }
      })
    },
    lieAbout({ id: pspReference, reference: merchantReference }) {
      const item = toldOf({ pspReference, amount: 1000 }, 'EXPIRE', { pspReference, merchantReference })
      const lie = { ...item, originalReference: '', reason: LIE }
      return { keys: [LIE], signed: (secrets) => signedNotification([lie], secrets) }
    },
    booksOf: ledger.booksOf,
    breakNext: (fault) => breakNext(fault),
    heal,
    knows: (attemptId) => requests.some(({ key }) => key === attemptId),
    close,
  }
}

/** Stripe, which answers finally: of what was done, only a refund may fail later. */
export async function startTellingStripe(): Promise<TellingGateway> {
  const [apiKey, accountId] = ['sk_test_right', 'acct_double']
  const double = await startStripeDouble({ secretKey: apiKey, accountId })
  const { ledger, requests } = double
  const post = (path: string, params: object) => void ledger.apply('POST', path, params)
  const happenings: Record<Happening, (payment: PaymentAtGateway, cents: number) => void> = {
    'captured by hand': ({ id }, cents) =>
      post(`/v1/payment_intents/${id}/capture`, { amount_to_capture: String(cents) }),
    'cancelled by hand': ({ id }) => post(`/v1/payment_intents/${id}/cancel`, {}),
    'refunded by hand': ({ id }, cents) => post('/v1/refunds', { payment_intent: id, amount: String(cents) }),
    'capture fails': quiet,
    'refund fails': ({ reference }) => ledger.failLater(reference),
    'hold ends': ({ reference }) => ledger.expire(reference),
    'next is refused': quiet,
  }
  return {
    type: 'stripe',
    account: { apiKey, merchantAccount: accountId, baseUrl: double.baseUrl },
    payments: ledger.payments,
    happen: (what, payment, cents) => happenings[what](payment, cents),
    takeParcels: () =>
      ledger.told.splice(0).map((event) => ({
        keys: [keyOf(event)],
        signed: ({ signingKeys: [key = ''] }) => signedEvent(event, key),
      })),
    lieAbout({ id, reference }) {
      const object = chargeLike({ id: LIE, payment_intent: id, metadata: { attempt_id: reference } })
      const event = { id: `evt_${LIE}_${id}`, type: 'charge.expired', about: LIE, object }
      return { keys: [LIE], signed: ({ signingKeys: [key = ''] }) => signedEvent(event, key) }
    },
    booksOf: ledger.booksOf,
    breakNext: (fault) => double.breakNext(fault, movesMoney),
    heal: double.heal,
    knows: (attemptId) => requests.some(({ key }) => key === attemptId),
    close: double.close,
  }
}

const OF_FAILED_REFUND = ['refund.failed', 'refund.updated', 'charge.refund.updated']

function keyOf({ id, type, about }: ToldEvent): string {
  return OF_FAILED_REFUND.includes(type) ? `failed ${about}` : id
}
