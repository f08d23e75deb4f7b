import type { AgreementPaymentResource } from '../../../contract/api/agreements/agreement-payment-resource.ts'
import type { Cents } from '../../../contract/api/fields/amount.ts'
import type { IdempotentRequest } from '../../platform/idempotency.ts'
import { toAmount } from '../../platform/money.ts'
import type { Moves } from '../../platform/state-machine.ts'
import type { AgreementState } from './agreement.ts'
import { dayOfPeriod, periodAt } from './calendar.ts'
import type { Day, Period } from './calendar.ts'
import { dueDayIn } from './terms.ts'
import type { Schedule } from './terms.ts'

export type PaymentState = AgreementPaymentResource['status']

/** `send`: it is given to the network, which may have it from then on. */
export type PaymentAction = 'send' | 'settle' | 'fail' | 'investigate'

/** The state table of payments (contract §6.5). */
export const paymentMoves: Moves<PaymentState, PaymentAction> = {
  received: { send: 'processing' },
  processing: { settle: 'settled', fail: 'failed', investigate: 'under_investigation' },
  under_investigation: { settle: 'settled', fail: 'failed' },
  settled: {},
  failed: {},
}

export type PaymentFailure = NonNullable<AgreementPaymentResource['failure']>

/** One payment of an agreement. */
export interface Payment {
  /** The network tells payments apart by this id. */
  id: string
  agreementId: string
  merchantId: string
  agreementVersion: number
  status: PaymentState
  amount: Cents
  reference: string
  description: string | null
  /** No other payment follows, unless this one fails. */
  isLast: boolean
  /** The due day for which the service made it; null if the merchant sent it. */
  dueOn: Day | null
  /** The day by which it counts for a period: `dueOn`, or the day on which the merchant sent it. */
  countsOn: Day
  failure: PaymentFailure | null
  networkReference: string | null
  createdAt: Date
  /** When it was given to the network. */
  sentAt: Date | null
  investigatedAt: Date | null
  /** When it settled or failed. */
  endedAt: Date | null
  updatedAt: Date
}

/** A payment before it is added. */
export interface NewPayment extends Pick<
  Payment,
  | 'id'
  | 'agreementId'
  | 'merchantId'
  | 'agreementVersion'
  | 'amount'
  | 'reference'
  | 'description'
  | 'isLast'
  | 'dueOn'
  | 'countsOn'
> {
  /** The agreement's revision when it allowed the payment: by it the network hears of both in order. */
  agreementRevision: number
  /** The merchant's request, if it had a key. */
  idempotentRequest: Pick<IdempotentRequest, 'key' | 'hash'> | null
  eventId: string
}

/** What the network has made of a payment. `nextAt`: when to ask again, while the outcome is not final. */
export interface PaymentResult {
  paymentId: string
  status: Extract<PaymentState, 'settled' | 'failed' | 'under_investigation'>
  failure: PaymentFailure | null
  reference: string | null
  nextAt: Date | null
}

/** Fields that are empty until the network has answered. */
const NOT_YET = { failure: null, networkReference: null, investigatedAt: null, endedAt: null } as const

/** A payment as it was right after one of its `payment.…` events: later changes are undone. */
export function paymentAt(payment: Payment, eventType: string): Payment {
  const { createdAt, sentAt, investigatedAt } = payment
  switch (eventType) {
    case 'payment.received':
      return { ...payment, ...NOT_YET, status: 'received', sentAt: null, updatedAt: createdAt }
    case 'payment.processing':
      return { ...payment, ...NOT_YET, status: 'processing', updatedAt: sentAt ?? createdAt }
    case 'payment.under_investigation': {
      const updatedAt = investigatedAt ?? createdAt
      return { ...payment, failure: null, endedAt: null, status: 'under_investigation', updatedAt }
    }
    default:
      return payment
  }
}

/** What an agreement's payments are decided by. */
export interface Payable extends Schedule {
  status: AgreementState
  maxPayments: number | null
}

/** Counts the payments of an agreement that have not failed. */
export interface PaymentCounts {
  /** All of them, counted no further than `countOf` says. */
  count: number
  /** Those in the period of the new payment. */
  inPeriod: number
  /** Whether one of them is the last. */
  hasLast: boolean
}

/** A payment to decide on. */
export interface ProposedPayment {
  amount: Cents
  /** The day by which it counts for a period. */
  day: Day
  isLast: boolean
}

/** Why a payment is refused, in words for the merchant. */
export interface PaymentRefusal {
  code: 'unfulfilled_condition' | 'outside_terms'
  message: string
}

/** The period that a payment on this day counts in; null if the agreement has no periods. */
export function periodOf({ startDate, terms }: Payable, day: Day): Period | null {
  return terms.frequency === null ? null : periodAt(terms.frequency, startDate, day)
}

/** How far to count the payments of an agreement to decide on the next one; 0 if their number does not matter. */
export function countOf({ type, maxPayments, terms }: Payable): number {
  if (maxPayments !== null) return maxPayments
  return type === 'oneoff' || terms.firstPayment !== null ? 1 : 0
}

/** Whether a payment on this day is the last, even if the merchant does not say so. */
export function isLastOn({ type, terms }: Payable, day: Day): boolean {
  return type === 'oneoff' || (terms.lastPayment !== null && day >= terms.lastPayment.date)
}

/** The amount that a payment must have, and the term that says so; null if any amount up to the maximum will do. */
export function amountDue(
  { terms: { amount, firstPayment, lastPayment } }: Payable,
  { isLast }: Pick<ProposedPayment, 'isLast'>,
  { count }: PaymentCounts,
): { amount: Cents; term: string } | null {
  if (isLast && lastPayment !== null) return { amount: lastPayment.amount, term: 'last_payment' }
  if (count === 0 && firstPayment !== null) return { amount: firstPayment.amount, term: 'first_payment' }
  return amount === null ? null : { amount, term: 'payment_terms.amount' }
}

/** Why the terms do not allow a payment beside those made so far; null if they do (contract §6.5). */
export function paymentRefusalOf(
  agreement: Payable,
  proposed: ProposedPayment,
  tally: PaymentCounts,
): PaymentRefusal | null {
  if (agreement.status !== 'active') {
    return {
      code: 'unfulfilled_condition',
      message: `The agreement is ${agreement.status}. Payments can be made while it is active.`,
    }
  }
  const message =
    dateFault(agreement, proposed) ??
    endFault(agreement, tally) ??
    periodFault(agreement, proposed, tally) ??
    amountFault(agreement, proposed, tally)
  return message === null ? null : { code: 'outside_terms', message }
}

function dateFault({ startDate, endDate, terms }: Payable, { day }: ProposedPayment): string | null {
  const first = terms.firstPayment?.date ?? startDate
  if (day < startDate) return `Payments begin on ${startDate} (start_date). Send it then.`
  if (day < first) return `The first payment is on ${first} (first_payment.date). Send it then.`
  if (endDate !== null && day > endDate)
    return `The agreement ended on ${endDate} (end_date). Make a new agreement.`
  return null
}

function endFault({ type, maxPayments }: Payable, { count, hasLast }: PaymentCounts): string | null {
  if (type === 'oneoff' && count > 0)
    return 'A oneoff agreement has one payment (type), and it was made. Make a new agreement.'
  if (hasLast) return 'The last payment was made (last_payment). Make a new agreement.'
  if (maxPayments !== null && count >= maxPayments)
    return `All ${String(maxPayments)} payments were made (max_number_of_payments). Amend it, or make a new agreement.`
  return null
}

function periodFault(
  agreement: Payable,
  { day }: ProposedPayment,
  { inPeriod }: PaymentCounts,
): string | null {
  const period = periodOf(agreement, day)
  if (period === null) return null
  const { countPerPeriod, pointInPeriod } = agreement.terms
  if (countPerPeriod !== null && inPeriod >= countPerPeriod) {
    const allowed = countPerPeriod === 1 ? 'one payment' : `${String(countPerPeriod)} payments`
    return `There may be ${allowed} from ${period.from} to ${period.to} (count_per_period). Send it later.`
  }
  if (pointInPeriod === null) return null
  if (inPeriod > 0)
    return `There may be one payment from ${period.from} to ${period.to} (point_in_period). Send it later.`
  const opens = dueDayIn(agreement, period) ?? dayOfPeriod(period, pointInPeriod)
  return day < opens ? `The payment is due on ${opens} (point_in_period). Send it then.` : null
}

function amountFault(agreement: Payable, proposed: ProposedPayment, tally: PaymentCounts): string | null {
  const due = amountDue(agreement, proposed, tally)
  if (due !== null) {
    if (proposed.amount === due.amount) return null
    return `The amount must be ${inUnits(due.amount)} (${due.term}).`
  }
  const max = agreement.terms.maximumAmount
  if (max === null || proposed.amount <= max) return null
  return `The amount must be ${inUnits(max)} at most (maximum_amount).`
}

function inUnits(cents: Cents): string {
  return toAmount(cents).toFixed(2)
}
