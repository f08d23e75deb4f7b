import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import type { DoubleAnswer } from '../../testing/double-faults.ts'
import type { PaymentAtGateway } from '../../testing/gateway-bed.ts'
import { AskedSale, createDoubleBank } from './double-bank.ts'
import type { DoubleBank } from './double-bank.ts'

const amount = v.object({ currency: v.string(), value: v.pipe(v.number(), v.integer(), v.minValue(1)) })
const Sale = v.object({
  merchantAccount: v.string(),
  reference: v.string(),
  amount,
  captureDelayHours: v.optional(v.number()),
  paymentMethod: v.object({ number: v.string(), holderName: v.string() }),
})
const ModificationBody = v.object({
  merchantAccount: v.string(),
  reference: v.string(),
  amount: v.optional(amount),
})
const Void = v.object({ merchantAccount: v.string(), reference: v.string(), paymentReference: v.string() })

export interface DoublePayment {
  pspReference: string
  reference: string
  amount: number
  captured: number
  refunded: number
  state: 'authorised' | 'captured' | 'cancelled'
  /** Captures itself, an hour later. */
  capturesItself: boolean
}

interface Modification {
  payment: DoublePayment
  what: string
  value: number
  reference: string
  pspReference: string
}

/** What the double has done with a payment's money, in cents: what captures itself counts as taken. */
export interface DoubleBooks {
  held: number
  taken: number
  refunded: number
}

/** The double's own books, and what each request does to them; nothing here knows of keys or connections. */
export interface DoubleLedger {
  apply: (path: string, body: unknown) => DoubleAnswer
  /** The card holders' bank. */
  bank: DoubleBank
  /** What it has to tell of what it did, oldest first. */
  told: ToldItem[]
  /** The next modification is received, and not carried out. */
  refuseNext: () => void
  /** The last capture or refund of a payment fails, after it was carried out; of a sale that captures itself, that capture. */
  failLater: (reference: string, what: 'captures' | 'refunds') => void
  /** Releases what is held, as once its time is over. */
  expire: (reference: string) => void
  /** All payments under a reference. */
  booksOf: (reference: string) => DoubleBooks[]
  payments: () => PaymentAtGateway[]
  /** The payment under a reference. */
  paymentOf: (reference: string) => DoublePayment | undefined
}

const invalid = (errorCode: string, message: string): DoubleAnswer => ({
  status: 422,
  body: { status: 422, errorCode, message, errorType: 'validation' },
})
/** Also the answer to a capture, cancel or refund of a payment that another merchant account has (help.adyen.com, 901). */
const UNKNOWN_ACCOUNT: DoubleAnswer = {
  status: 403,
  body: { status: 403, errorCode: '901', message: 'Invalid Merchant Account', errorType: 'security' },
}
/** Of every account that exists. */
function methodsOf(body: unknown): DoubleAnswer {
  const { merchantAccount } = v.parse(v.object({ merchantAccount: v.string() }), body)
  if (merchantAccount === 'Unknown') return UNKNOWN_ACCOUNT
  return { status: 200, body: { paymentMethods: [] } }
}

const newReference = () => randomBytes(8).toString('hex').toUpperCase()

/** What the double has kept of all payments. */
interface Kept {
  payments: Map<string, DoublePayment>
  modifications: Modification[]
  told: ToldItem[]
  bank: DoubleBank
  /** So many modifications are refused next. */
  refusals: number
}

export function createDoubleLedger(): DoubleLedger {
  const kept: Kept = {
    payments: new Map(),
    modifications: [],
    told: [],
    bank: createDoubleBank(),
    refusals: 0,
  }
  const { payments, told, bank } = kept
  return {
    told,
    bank,
    refuseNext: () => (kept.refusals += 1),
    failLater: (reference, what) =>
      paymentsOf(kept, reference).forEach((payment) => failLater(kept, payment, what)),
    expire: (reference) => paymentsOf(kept, reference).forEach((payment) => expire(kept, payment)),
    apply(path, body) {
      if (path === '/payments') return pay(kept, body)
      if (path === '/payments/details') return bank.details(body)
      if (path === '/paymentMethods') return methodsOf(body)
      if (path === '/cancels') return voidByReference(kept, body)
      const [, id = '', what = ''] = /^\/payments\/([^/]+)\/(\w+)$/.exec(path) ?? []
      return modify(kept, id, what, body)
    },
    booksOf: (reference) => paymentsOf(kept, reference).map(toBooks),
    payments: () => [...payments.values()].map(({ pspReference: id, reference }) => ({ id, reference })),
    paymentOf: (reference) => paymentsOf(kept, reference)[0],
  }
}

function paymentsOf({ payments }: Kept, reference: string): DoublePayment[] {
  return [...payments.values()].filter((one) => one.reference === reference)
}

function failLater(
  { modifications, told }: Kept,
  payment: DoublePayment,
  what: 'captures' | 'refunds',
): void {
  const last = modifications.findLast((one) => one.payment === payment && one.what === what)
  const { value, reference, pspReference } = last ?? {
    value: payment.amount,
    reference: payment.reference,
    pspReference: newReference(),
  }
  const { taken, refunded } = toBooks(payment)
  // Of a sale that was captured by hand for less, the service leaves that to a person.
  const isLess = payment.capturesItself && taken < payment.amount
  const isThere =
    what === 'captures' ? taken > 0 && refunded === 0 && !isLess : refunded >= value && last !== undefined
  if (!isThere) return
  if (last !== undefined) modifications.splice(modifications.indexOf(last), 1)
  undo(payment, what, value)
  const eventCode = what === 'captures' ? 'CAPTURE_FAILED' : 'REFUND_FAILED'
  const reason = 'Rejected by the scheme'
  told.push(toldOf(payment, eventCode, { pspReference, merchantReference: reference, value, reason }))
}

function expire({ told }: Kept, payment: DoublePayment): void {
  if (payment.state !== 'authorised' || payment.capturesItself) return
  payment.state = 'cancelled'
  const { pspReference, reference: merchantReference } = payment
  told.push({ ...toldOf(payment, 'EXPIRE', { pspReference, merchantReference }), originalReference: '' })
}

/** Accepts any modification; the books, and what is told of it later, show whether it was carried out. */
function modify(kept: Kept, id: string, what: string, body: unknown): DoubleAnswer {
  const { merchantAccount, reference, amount: sum } = v.parse(ModificationBody, body)
  const payment = kept.payments.get(id)
  if (payment === undefined) return invalid('167', 'Original pspReference required for this operation')
  const pspReference = newReference()
  const value = sum?.value ?? payment.amount
  const action = payment.state === 'authorised' ? 'cancel' : 'refund'
  const isRefused = kept.refusals > 0
  if (isRefused) kept.refusals -= 1
  const isDone = !isRefused && move(payment, what, value)
  if (isDone) kept.modifications.push({ payment, what, value, reference, pspReference })
  kept.told.push({
    ...toldOf(payment, EVENTS[what] ?? what, { pspReference, merchantReference: reference, value, isDone }),
    ...(what === 'reversals' && { additionalData: { 'modification.action': action } }),
  })
  const answer = { merchantAccount, reference, paymentPspReference: id, pspReference, status: 'received' }
  return { status: 201, body: sum === undefined ? answer : { ...answer, amount: sum } }
}

/** A payment that does not exist, or is captured, is left alone: nothing waits for one that comes later. */
function voidByReference(kept: Kept, body: unknown): DoubleAnswer {
  const parsed = v.parse(Void, body)
  const pspReference = newReference()
  for (const payment of paymentsOf(kept, parsed.paymentReference)) {
    const isDone = move(payment, 'cancels', 0)
    const about = { pspReference, merchantReference: payment.reference, isDone }
    kept.told.push(toldOf(payment, 'TECHNICAL_CANCEL', about))
  }
  return { status: 201, body: { ...parsed, pspReference, status: 'received' } }
}

/** `REFUSE 12` on the card is refused with code 12; `RESULT Pending` has that result. `BANK …`: double-bank.ts. */
function pay(kept: Kept, body: unknown): DoubleAnswer {
  const parsed = v.safeParse(Sale, body)
  if (!parsed.success) return invalid('14_004', "Missing payment method details: 'number'")
  const { reference, paymentMethod } = parsed.output
  const pspReference = newReference()
  const [, steer, word = ''] = /^(REFUSE|RESULT) (\w+)$/.exec(paymentMethod.holderName) ?? []
  const answered = { pspReference, merchantReference: reference }
  if (steer === 'RESULT') return { status: 200, body: { ...answered, resultCode: word } }
  const settle = (isPassed: boolean, fields: object) =>
    isPassed
      ? authorise(kept, parsed.output, pspReference, fields)
      : refuse(kept, parsed.output, pspReference, { ...NOT_AUTHENTICATED, ...fields })
  const refusal = { refusalReason: 'Refused', refusalReasonCode: word }
  if (steer === 'REFUSE') return refuse(kept, parsed.output, pspReference, refusal)
  const asked = kept.bank.asked({ ...v.parse(AskedSale, body), pspReference }, settle)
  return asked ?? settle(true, {})
}

type Sale = v.InferOutput<typeof Sale>

const NOT_AUTHENTICATED = { refusalReason: '3D Not Authenticated', refusalReasonCode: '11' }

function refuse(
  { told }: Kept,
  { reference, amount: sum }: Sale,
  pspReference: string,
  fields: { refusalReason: string; refusalReasonCode: string },
): DoubleAnswer {
  const sale = { pspReference, amount: sum.value }
  const about = { pspReference, merchantReference: reference, isDone: false, reason: fields.refusalReason }
  told.push({ ...toldOf(sale, 'AUTHORISATION', about), originalReference: '' })
  const answered = { pspReference, merchantReference: reference, resultCode: 'Refused' }
  return { status: 200, body: { ...answered, ...fields } }
}

function authorise(
  { payments, told }: Kept,
  { reference, amount: sum, captureDelayHours }: Sale,
  pspReference: string,
  fields: object,
): DoubleAnswer {
  const about = { pspReference, merchantReference: reference }
  told.push({
    ...toldOf({ pspReference, amount: sum.value }, 'AUTHORISATION', about),
    originalReference: '',
  })
  payments.set(pspReference, {
    ...{ pspReference, reference, amount: sum.value, captured: 0, refunded: 0, state: 'authorised' },
    capturesItself: captureDelayHours !== undefined,
  })
  return { status: 200, body: { ...about, resultCode: 'Authorised', ...fields } }
}

const RELEASES = new Set(['cancels', 'reversals'])

/** Carries a modification out; false where it can't. */
function move(payment: DoublePayment, what: string, value: number): boolean {
  const isHeld = payment.state === 'authorised'
  if (what === 'captures' && isHeld && value <= payment.amount) {
    payment.state = 'captured'
    payment.captured = value
    return true
  }
  // What was given back of a sale that is still to capture itself can't be cancelled too.
  if (RELEASES.has(what) && isHeld && payment.refunded === 0) {
    payment.state = 'cancelled'
    return true
  }
  if (what === 'reversals' && payment.state === 'captured' && payment.refunded === 0) {
    payment.refunded = payment.captured
    return true
  }
  const { taken, refunded } = toBooks(payment)
  if (what !== 'refunds' || refunded + value > taken) return false
  // What captures itself has done so by then.
  payment.state = 'captured'
  payment.captured = taken
  payment.refunded += value
  return true
}

/** What failed after it was carried out: the hold stands again, except of a sale that captured itself. */
function undo(payment: DoublePayment, what: 'captures' | 'refunds', value: number): void {
  if (what === 'refunds') payment.refunded -= value
  else {
    payment.captured = 0
    payment.state = payment.capturesItself ? 'cancelled' : 'authorised'
  }
}

const EVENTS: Readonly<Record<string, string>> = {
  captures: 'CAPTURE',
  cancels: 'CANCELLATION',
  refunds: 'REFUND',
  reversals: 'CANCEL_OR_REFUND',
}

/** An item of a notification, before it is signed. */
export interface ToldItem {
  eventCode: string
  eventDate: string
  merchantAccountCode: string
  merchantReference: string
  originalReference: string
  pspReference: string
  paymentMethod: string
  amount: { currency: string; value: number }
  reason: string
  success: 'true' | 'false'
  additionalData?: Record<string, string>
}

interface ItemFacts {
  pspReference: string
  merchantReference: string
  value?: number
  isDone?: boolean
  reason?: string
}

/** An item about a payment; without facts to the contrary, of all of it, and carried out. */
export function toldOf(
  payment: Pick<DoublePayment, 'pspReference' | 'amount'>,
  eventCode: string,
  facts: ItemFacts,
): ToldItem {
  const { pspReference, merchantReference, value = payment.amount, isDone = true, reason = '' } = facts
  return {
    eventCode,
    eventDate: '2026-11-27T10:00:00+01:00',
    merchantAccountCode: 'Acme',
    merchantReference,
    originalReference: payment.pspReference,
    pspReference,
    paymentMethod: 'visa',
    amount: { currency: 'AUD', value },
    reason: isDone || reason !== '' ? reason : 'Not possible',
    success: isDone ? 'true' : 'false',
  }
}

function toBooks({ state, amount: sum, captured, refunded, capturesItself }: DoublePayment): DoubleBooks {
  const isHeld = state === 'authorised' && !capturesItself
  return {
    held: isHeld ? sum : 0,
    taken: state === 'authorised' && capturesItself ? sum : captured,
    refunded,
  }
}
