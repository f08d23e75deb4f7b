import { randomBytes } from 'node:crypto'
import * as v from 'valibot'

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

interface Payment {
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
  payment: Payment
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

export interface DoubleAnswer {
  status: number
  body: object
}

/** The double's own books, and what each request does to them; nothing here knows of keys or connections. */
export interface DoubleLedger {
  apply: (path: string, body: unknown) => DoubleAnswer
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
  all: () => DoubleBooks[]
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

export function createDoubleLedger(): DoubleLedger {
  const payments = new Map<string, Payment>()
  const modifications: Modification[] = []
  const told: ToldItem[] = []
  let refusals = 0
  const byReference = (reference: string) =>
    [...payments.values()].filter((one) => one.reference === reference)
  return {
    told,
    refuseNext: () => (refusals += 1),
    failLater(reference, what) {
      for (const payment of byReference(reference)) {
        const last = modifications.findLast((one) => one.payment === payment && one.what === what)
        undo(payment, what, last?.value ?? payment.amount)
        told.push(
          itemOf(payment, what === 'captures' ? 'CAPTURE_FAILED' : 'REFUND_FAILED', {
            pspReference: last?.pspReference ?? newReference(),
            merchantReference: last?.reference ?? reference,
            value: last?.value ?? payment.amount,
            reason: 'Rejected by the scheme',
          }),
        )
      }
    },
    expire(reference) {
      for (const payment of byReference(reference)) {
        if (payment.state !== 'authorised') continue
        payment.state = 'cancelled'
        const { originalReference: _, ...item } = itemOf(payment, 'EXPIRE', {
          pspReference: payment.pspReference,
          merchantReference: payment.reference,
        })
        told.push(item)
      }
    },
    apply(path, body) {
      if (path === '/payments') return pay(payments, told, body)
      if (path === '/paymentMethods') return methodsOf(body)
      if (path === '/cancels') return voidByReference(body)
      const [, id = '', what = ''] = /^\/payments\/([^/]+)\/(\w+)$/.exec(path) ?? []
      return modify(id, what, body)
    },
    booksOf: (reference) => byReference(reference).map(toBooks),
    all: () => [...payments.values()].map(toBooks),
  }

  /** Accepts any modification; the books show whether it was carried out. */
  function modify(id: string, what: string, body: unknown): DoubleAnswer {
    const { merchantAccount, reference, amount: sum } = v.parse(ModificationBody, body)
    const payment = payments.get(id)
    if (payment === undefined) return invalid('167', 'Original pspReference required for this operation')
    const pspReference = newReference()
    const value = sum?.value ?? payment.amount
    const wasHeld = payment.state === 'authorised'
    const isRefused = refusals > 0
    if (isRefused) refusals -= 1
    const isDone = !isRefused && move(payment, what, value)
    if (isDone) modifications.push({ payment, what, value, reference, pspReference })
    const about = { pspReference, merchantReference: reference, value, isDone }
    const action = wasHeld ? 'cancel' : 'refund'
    told.push({
      ...itemOf(payment, EVENTS[what] ?? what, about),
      ...(what === 'reversals' && { additionalData: { 'modification.action': action } }),
    })
    const answer = { merchantAccount, reference, paymentPspReference: id, pspReference, status: 'received' }
    return { status: 201, body: sum === undefined ? answer : { ...answer, amount: sum } }
  }

  /** A payment that does not exist, or is captured, is left alone: nothing waits for one that comes later. */
  function voidByReference(body: unknown): DoubleAnswer {
    const parsed = v.parse(Void, body)
    const pspReference = newReference()
    for (const payment of byReference(parsed.paymentReference)) {
      const isDone = move(payment, 'cancels', 0)
      told.push(
        itemOf(payment, 'TECHNICAL_CANCEL', { pspReference, merchantReference: payment.reference, isDone }),
      )
    }
    return { status: 201, body: { ...parsed, pspReference, status: 'received' } }
  }
}

/** `REFUSE 12` on the card is refused with code 12; `RESULT Pending` has that result. */
function pay(payments: Map<string, Payment>, told: ToldItem[], body: unknown): DoubleAnswer {
  const parsed = v.safeParse(Sale, body)
  if (!parsed.success) return invalid('14_004', "Missing payment method details: 'number'")
  const { reference, amount: sum, captureDelayHours, paymentMethod } = parsed.output
  const pspReference = newReference()
  const [, steer, word = ''] = /^(REFUSE|RESULT) (\w+)$/.exec(paymentMethod.holderName) ?? []
  const answered = { pspReference, merchantReference: reference }
  const about = { pspReference, reference, amount: sum.value }
  if (steer === 'REFUSE') {
    told.push(saleItem(about, false))
    return {
      status: 200,
      body: { ...answered, resultCode: 'Refused', refusalReason: 'Refused', refusalReasonCode: word },
    }
  }
  if (steer === 'RESULT') return { status: 200, body: { ...answered, resultCode: word } }
  const fresh = {
    pspReference,
    reference,
    amount: sum.value,
    captured: 0,
    refunded: 0,
    state: 'authorised',
  } as const
  told.push(saleItem(about, true))
  payments.set(pspReference, { ...fresh, capturesItself: captureDelayHours !== undefined })
  return { status: 200, body: { ...answered, resultCode: 'Authorised' } }
}

/** Carries a modification out; false where it can't. */
function move(payment: Payment, what: string, value: number): boolean {
  const isHeld = payment.state === 'authorised'
  if (what === 'captures' && isHeld && value <= payment.amount) {
    payment.state = 'captured'
    payment.captured = value
    return true
  }
  if ((what === 'cancels' || what === 'reversals') && isHeld) {
    payment.state = 'cancelled'
    return true
  }
  if (what === 'reversals' && payment.state === 'captured' && payment.refunded === 0) {
    payment.refunded = payment.captured
    return true
  }
  const { taken, refunded } = toBooks(payment)
  if (what !== 'refunds' || refunded + value > taken) return false
  payment.refunded += value
  return true
}

/** What failed after it was carried out: the hold stands again, except of a sale that captured itself. */
function undo(payment: Payment, what: 'captures' | 'refunds', value: number): void {
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
  originalReference?: string
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

function itemOf(payment: Payment, eventCode: string, facts: ItemFacts): ToldItem {
  const { pspReference, merchantReference, value = payment.amount, isDone = true, reason = '' } = facts
  return {
    eventCode,
    eventDate: new Date().toISOString(),
    merchantAccountCode: 'Acme',
    merchantReference,
    originalReference: payment.pspReference,
    pspReference,
    paymentMethod: 'visa',
    amount: { currency: 'AUD', value },
    reason: isDone ? reason : 'Not possible',
    success: isDone ? 'true' : 'false',
  }
}

function saleItem(
  { pspReference, reference, amount: value }: { pspReference: string; reference: string; amount: number },
  isDone: boolean,
): ToldItem {
  return {
    eventCode: 'AUTHORISATION',
    eventDate: new Date().toISOString(),
    merchantAccountCode: 'Acme',
    merchantReference: reference,
    pspReference,
    paymentMethod: 'visa',
    amount: { currency: 'AUD', value },
    reason: isDone ? '' : 'Refused',
    success: isDone ? 'true' : 'false',
  }
}

function toBooks({ state, amount: sum, captured, refunded, capturesItself }: Payment): DoubleBooks {
  const isHeld = state === 'authorised' && !capturesItself
  return {
    held: isHeld ? sum : 0,
    taken: state === 'authorised' && capturesItself ? sum : captured,
    refunded,
  }
}
