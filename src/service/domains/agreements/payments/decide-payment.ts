import { toAmount } from '../../../platform/money.ts'
import type { Agreement } from '../agreement.ts'
import { dueDayIn } from '../terms/due-days.ts'
import type { Schedule } from '../terms/due-days.ts'
import type { Day } from '../terms/day.ts'
import { dayOfPeriod, periodAt } from '../terms/periods.ts'
import type { Period } from '../terms/periods.ts'
import type { Cents } from '../../../../contract/api/fields/amount.ts'

/** What of an agreement decides on its payments. */
export type Payable = Schedule & Pick<Agreement, 'status' | 'maxPayments'>

/** The payments of an agreement that have not failed. */
export interface Tally {
  /** All of them, counted no further than `countOf` says. */
  count: number
  /** Those in the period of the new payment. */
  inPeriod: number
  /** One of them is the last. */
  hasLast: boolean
}

/** A payment that somebody wants to be made. */
export interface ProposedPayment {
  amount: Cents
  /** The day that it counts for. */
  day: Day
  isLast: boolean
}

/** Why a payment is refused, in words for the merchant. */
export interface PaymentRefusal {
  code: 'unfulfilled_condition' | 'outside_terms'
  message: string
}

/** The period that a payment on this day counts in; null where the agreement has none. */
export function periodOf({ startDate, terms }: Payable, day: Day): Period | null {
  return terms.frequency === null ? null : periodAt(terms.frequency, startDate, day)
}

/** How far the payments of an agreement must be counted to decide on the next; 0 where it does not matter how many there are. */
export function countOf({ type, maxPayments, terms }: Payable): number {
  if (maxPayments !== null) return maxPayments
  return type === 'oneoff' || terms.firstPayment !== null ? 1 : 0
}

/** Whether a payment on this day is the last, also where its sender does not say so. */
export function isLastOn({ type, terms }: Payable, day: Day): boolean {
  return type === 'oneoff' || (terms.lastPayment !== null && day >= terms.lastPayment.date)
}

/** The amount that a payment must have, and the term that says so; null where any amount up to the maximum will do. */
export function amountDue(
  { terms: { amount, firstPayment, lastPayment } }: Payable,
  { isLast }: Pick<ProposedPayment, 'isLast'>,
  { count }: Tally,
): { amount: Cents; term: string } | null {
  if (isLast && lastPayment !== null) return { amount: lastPayment.amount, term: 'last_payment' }
  if (count === 0 && firstPayment !== null) return { amount: firstPayment.amount, term: 'first_payment' }
  return amount === null ? null : { amount, term: 'payment_terms.amount' }
}

/** Why the terms do not allow a payment beside those that there are; null when they do (contract §6.5). */
export function refusalOf(
  agreement: Payable,
  proposed: ProposedPayment,
  tally: Tally,
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

function endFault({ type, maxPayments }: Payable, { count, hasLast }: Tally): string | null {
  if (type === 'oneoff' && count > 0)
    return 'A oneoff agreement has one payment (type), and it was made. Make a new agreement.'
  if (hasLast) return 'The last payment was made (last_payment). Make a new agreement.'
  if (maxPayments !== null && count >= maxPayments)
    return `All ${String(maxPayments)} payments were made (max_number_of_payments). Amend it, or make a new agreement.`
  return null
}

function periodFault(agreement: Payable, { day }: ProposedPayment, { inPeriod }: Tally): string | null {
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

function amountFault(agreement: Payable, proposed: ProposedPayment, tally: Tally): string | null {
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
