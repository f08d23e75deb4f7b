import type {
  AgreementResource,
  PaymentTermsResource,
} from '../../../contract/api/agreements/agreement-resource.ts'
import type { Frequency, PaymentTerms } from '../../../contract/api/agreements/payment-terms.ts'
import type { Cents } from '../../../contract/api/fields/amount.ts'
import { ServiceError, invalidField } from '../../platform/errors.ts'
import { toAmount } from '../../platform/money.ts'
import { LAST_DAY, addDays, dayOfPeriod, daysBetween, periodAt } from './calendar.ts'
import type { Day, Period } from './calendar.ts'

interface PaymentOnDay {
  date: Day
  amount: Cents
}

/** What an agreement pays, and how often (contract §6.3). The contract's schema says which terms go together. */
export interface Terms {
  amountType: PaymentTerms['amount_type']
  /** Of each payment, when fixed. */
  amount: Cents | null
  maximumAmount: Cents | null
  frequency: Frequency | null
  countPerPeriod: number | null
  /** The day of each period, from 1, on which the service collects. */
  pointInPeriod: number | null
  firstPayment: PaymentOnDay | null
  lastPayment: PaymentOnDay | null
}

/** The terms of an agreement and the days for which they hold. */
export interface Schedule {
  type: AgreementResource['type']
  startDate: Day
  endDate: Day | null
  terms: Terms
}

export function toTerms(terms: PaymentTerms): Terms {
  const { frequency, point_in_period: point } = terms
  // A recurring agreement that names neither a number of payments nor a day has one payment a period.
  const isUncounted = frequency !== undefined && point === undefined
  return {
    amountType: terms.amount_type,
    amount: terms.amount ?? null,
    maximumAmount: terms.maximum_amount ?? null,
    frequency: frequency ?? null,
    countPerPeriod: terms.count_per_period ?? (isUncounted ? 1 : null),
    pointInPeriod: point ?? null,
    firstPayment: terms.first_payment ?? null,
    lastPayment: terms.last_payment ?? null,
  }
}

export function toTermsResource(terms: Terms): PaymentTermsResource {
  return {
    amount_type: terms.amountType,
    amount: terms.amount === null ? null : toAmount(terms.amount),
    maximum_amount: terms.maximumAmount === null ? null : toAmount(terms.maximumAmount),
    frequency: terms.frequency,
    count_per_period: terms.countPerPeriod,
    point_in_period: terms.pointInPeriod,
    first_payment: toPaymentOnDay(terms.firstPayment),
    last_payment: toPaymentOnDay(terms.lastPayment),
  }
}

function toPaymentOnDay(payment: PaymentOnDay | null): PaymentTermsResource['first_payment'] {
  return payment === null ? null : { date: payment.date, amount: toAmount(payment.amount) }
}

/**
 * The first due day after another day, or the first of all if `after` is null. Null if there is none, as when the merchant sends
 * the payments itself (contract §6.5, Collection).
 */
export function nextDueDay(schedule: Schedule, after: Day | null): Day | null {
  const { startDate, terms } = schedule
  if (terms.frequency === null || terms.pointInPeriod === null) return null
  const horizon = lastDayOf(schedule)
  let day = later(terms.firstPayment?.date ?? startDate, after ?? startDate)
  while (day <= horizon) {
    const period = periodAt(terms.frequency, startDate, day)
    const due = dueDayIn(schedule, period)
    if (due !== null && (after === null || due > after)) return due
    if (period.to >= horizon) return null
    day = addDays(period.to, 1)
  }
  return null
}

/** The day of a period on which the service collects; null if there is none. */
export function dueDayIn(schedule: Schedule, period: Period): Day | null {
  const { pointInPeriod, firstPayment, lastPayment } = schedule.terms
  if (pointInPeriod === null) return null
  if (firstPayment !== null && firstPayment.date >= period.from)
    return firstPayment.date <= period.to ? within(schedule, firstPayment.date) : null
  if (lastPayment !== null && lastPayment.date <= period.to)
    return lastPayment.date >= period.from ? within(schedule, lastPayment.date) : null
  return within(schedule, dayOfPeriod(period, pointInPeriod))
}

function within({ startDate, endDate }: Schedule, day: Day): Day | null {
  return day >= startDate && day <= (endDate ?? LAST_DAY) ? day : null
}

/** The last day on which anything can be due. */
function lastDayOf({ endDate, terms }: Schedule): Day {
  const end = endDate ?? LAST_DAY
  const last = terms.lastPayment?.date ?? end
  return last < end ? last : end
}

function later(one: Day, other: Day): Day {
  return one > other ? one : other
}

const DAY_MS = 86_400_000
/** The debtor has at most this long to answer. */
export const LONGEST_ANSWER_MS = 5 * DAY_MS
/** The last payment is at most this long before the end. */
const MAX_DAYS_BEFORE_END = 7

/** Says why the days of an agreement do not fit together; null if they do (contract §6.3). */
export function daysFault({
  startDate,
  endDate,
  terms: { firstPayment, lastPayment },
}: Schedule): string | null {
  if (endDate !== null && endDate < startDate) return 'The end_date is before the start_date.'
  const isOutside = (day: Day) => day < startDate || (endDate !== null && day > endDate)
  if (firstPayment !== null && isOutside(firstPayment.date))
    return 'The first_payment is not from start_date to end_date.'
  if (lastPayment === null) return null
  if (isOutside(lastPayment.date)) return 'The last_payment is not from start_date to end_date.'
  if (firstPayment !== null && lastPayment.date <= firstPayment.date)
    return 'The last_payment is not after the first_payment.'
  if (endDate !== null && daysBetween(lastPayment.date, endDate) > MAX_DAYS_BEFORE_END)
    return `The last_payment is more than ${MAX_DAYS_BEFORE_END} days before the end_date.`
  return null
}

/** Says why the amounts of terms do not fit together; null if they do (contract §6.3). */
export function amountsFault({ maximumAmount, firstPayment, lastPayment }: Terms): string | null {
  if (maximumAmount === null) return null
  if (firstPayment !== null && firstPayment.amount > maximumAmount)
    return 'The first_payment.amount is above the maximum_amount.'
  return lastPayment !== null && lastPayment.amount > maximumAmount
    ? 'The last_payment.amount is above the maximum_amount.'
    : null
}

/** Says why the debtor can't be asked to answer by this time; null if it can. */
export function answerFault(requiredBy: Date, nowMs: number): string | null {
  if (requiredBy.getTime() <= nowMs) return 'The response_required_by is over already.'
  return requiredBy.getTime() - nowMs > LONGEST_ANSWER_MS
    ? 'The response_required_by is in more than 5 days.'
    : null
}

/** Throws `outside_terms` for the first fault. */
export function refuseFaults(faults: readonly (string | null)[]): void {
  for (const fault of faults) if (fault !== null) throw new ServiceError('outside_terms', fault)
}

/** Throws `validation_error` for a last payment in an agreement without an end. */
export function refuseLastWithoutEnd({ terms, endDate }: Schedule): void {
  if (terms.lastPayment !== null && endDate === null)
    throw invalidField('end_date', 'must be given with a last_payment')
}
