import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import type { DoubleAnswer } from '../../testing/double-faults.ts'

const amount = v.object({ currency: v.string(), value: v.pipe(v.number(), v.integer(), v.minValue(1)) })
const Sale = v.object({
  merchantAccount: v.string(),
  reference: v.string(),
  amount,
  captureDelayHours: v.optional(v.number()),
  paymentMethod: v.object({ number: v.string(), holderName: v.string() }),
})
const Modification = v.object({
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

/** What the double has done with a payment's money, in cents: what captures itself counts as taken. */
export interface DoubleBooks {
  held: number
  taken: number
  refunded: number
}

/** The double's own books, and what each request does to them; nothing here knows of keys or connections. */
export interface DoubleLedger {
  apply: (path: string, body: unknown) => DoubleAnswer
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
  return {
    apply(path, body) {
      if (path === '/payments') return pay(payments, body)
      if (path === '/paymentMethods') return methodsOf(body)
      if (path === '/cancels') return voidByReference(body)
      const [, id = '', what = ''] = /^\/payments\/([^/]+)\/(\w+)$/.exec(path) ?? []
      return modify(id, what, body)
    },
    booksOf: (reference) => [...payments.values()].filter((one) => one.reference === reference).map(toBooks),
    all: () => [...payments.values()].map(toBooks),
  }

  /** Accepts any modification; the books show whether it was carried out. */
  function modify(id: string, what: string, body: unknown): DoubleAnswer {
    const { merchantAccount, reference, amount: sum } = v.parse(Modification, body)
    const payment = payments.get(id)
    if (payment === undefined) return invalid('167', 'Original pspReference required for this operation')
    move(payment, what, sum?.value ?? 0)
    const answer = {
      merchantAccount,
      reference,
      paymentPspReference: id,
      pspReference: newReference(),
      status: 'received',
    }
    return { status: 201, body: sum === undefined ? answer : { ...answer, amount: sum } }
  }

  /** A payment that does not exist, or is captured, is left alone: nothing waits for one that comes later. */
  function voidByReference(body: unknown): DoubleAnswer {
    const parsed = v.parse(Void, body)
    for (const payment of payments.values())
      if (payment.reference === parsed.paymentReference) move(payment, 'cancels', 0)
    return { status: 201, body: { ...parsed, pspReference: newReference(), status: 'received' } }
  }
}

/** `REFUSE 12` on the card is refused with code 12; `RESULT Pending` has that result. */
function pay(payments: Map<string, Payment>, body: unknown): DoubleAnswer {
  const parsed = v.safeParse(Sale, body)
  if (!parsed.success) return invalid('14_004', "Missing payment method details: 'number'")
  const { reference, amount: sum, captureDelayHours, paymentMethod } = parsed.output
  const pspReference = newReference()
  const [, steer, word = ''] = /^(REFUSE|RESULT) (\w+)$/.exec(paymentMethod.holderName) ?? []
  const answered = { pspReference, merchantReference: reference }
  if (steer === 'REFUSE') {
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
  payments.set(pspReference, { ...fresh, capturesItself: captureDelayHours !== undefined })
  return { status: 200, body: { ...answered, resultCode: 'Authorised' } }
}

function move(payment: Payment, what: string, value: number): void {
  const isHeld = payment.state === 'authorised'
  if (what === 'captures' && isHeld && value <= payment.amount) {
    payment.state = 'captured'
    payment.captured = value
  } else if ((what === 'cancels' || what === 'reversals') && isHeld) {
    payment.state = 'cancelled'
  } else if (what === 'reversals' && payment.state === 'captured') {
    payment.refunded = payment.captured
  } else if (what === 'refunds') {
    const { taken, refunded } = toBooks(payment)
    if (refunded + value <= taken) payment.refunded += value
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
