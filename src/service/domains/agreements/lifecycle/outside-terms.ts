import type { Agreement } from '../agreement.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { Day } from '../terms/day.ts'
import { daysBetween } from '../terms/day.ts'
import type { Terms } from '../terms/terms.ts'

const DAY_MS = 86_400_000
/** For how long the debtor can be asked. */
export const LONGEST_ANSWER_MS = 5 * DAY_MS
/** How long before the end the last payment can be. */
const MAX_DAYS_BEFORE_END = 7

type Dates = Pick<Agreement, 'startDate' | 'endDate' | 'terms'>

/** Why the days of an agreement do not fit together; null where they do (contract §6.3). */
export function daysFault({
  startDate,
  endDate,
  terms: { firstPayment, lastPayment },
}: Dates): string | null {
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

/** Why the amounts of terms do not fit together; null where they do (contract §6.3). */
export function amountsFault({
  maximumAmount,
  firstPayment,
  lastPayment,
}: Pick<Terms, 'maximumAmount' | 'firstPayment' | 'lastPayment'>): string | null {
  if (maximumAmount === null) return null
  if (firstPayment !== null && firstPayment.amount > maximumAmount)
    return 'The first_payment.amount is above the maximum_amount.'
  return lastPayment !== null && lastPayment.amount > maximumAmount
    ? 'The last_payment.amount is above the maximum_amount.'
    : null
}

/** Why the debtor can't be asked for an answer by this time; null where it can. */
export function answerFault(requiredBy: Date, nowMs: number): string | null {
  if (requiredBy.getTime() <= nowMs) return 'The response_required_by is over already.'
  return requiredBy.getTime() - nowMs > LONGEST_ANSWER_MS
    ? 'The response_required_by is in more than 5 days.'
    : null
}

/** Throws `outside_terms` for the first of these that is a fault. */
export function refuseFaults(faults: readonly (string | null)[]): void {
  for (const fault of faults) if (fault !== null) throw new ServiceError('outside_terms', fault)
}
