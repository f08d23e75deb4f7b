import { dayOf, monthOf } from './sydney-calendar.ts'
import type { Day } from './sydney-calendar.ts'

export const FREQUENCIES = [
  'daily',
  'weekly',
  'fortnightly',
  'monthly',
  'quarterly',
  'half_yearly',
  'yearly',
] as const
export type Frequency = (typeof FREQUENCIES)[number]
export type AgreementType = 'oneoff' | 'recurring' | 'adhoc'

interface OnDay {
  date: Day
  cents: number
}

/** The payment terms of a request, as they were asked for; `null` was left out. */
export interface ModelTerms {
  isFixed: boolean
  /** The fixed amount or the maximum amount. */
  cents: number
  frequency: Frequency | null
  count: number | null
  point: number | null
  first: OnDay | null
  last: OnDay | null
}

/** The part of an agreement that says when it is paid. */
export interface Schedule {
  start: Day
  end: Day | null
  terms: ModelTerms
}

interface Period {
  from: Day
  to: Day
}

/** The bounds of `point_in_period` (contract §6.3). */
const MAX_DAYS: Readonly<Record<Frequency, number>> = {
  daily: 1,
  weekly: 7,
  fortnightly: 14,
  monthly: 31,
  quarterly: 92,
  half_yearly: 184,
  yearly: 366,
}
const MONTHS: Readonly<Partial<Record<Frequency, number>>> = {
  monthly: 1,
  quarterly: 3,
  half_yearly: 6,
  yearly: 12,
}
const DAYS: Readonly<Partial<Record<Frequency, number>>> = { daily: 1, weekly: 7, fortnightly: 14 }

/** Whether the fields of terms can be combined, whatever the agreement's type; if not, the answer is 400. */
export function standTogether({ isFixed, frequency, count, point }: ModelTerms): boolean {
  if (point === null) return true
  return count === null && isFixed && (frequency === null || point <= MAX_DAYS[frequency])
}

/** Whether an agreement of this type may have the fields of these terms. */
export function fitType({ frequency, count, point, first, last }: ModelTerms, type: AgreementType): boolean {
  if (type === 'recurring') return frequency !== null
  return [frequency, count, point, first, last].every((one) => one === null)
}

/** Whether days and amounts fit together; else they are outside of what terms can be. */
export function areTermsRight(schedule: Schedule): boolean {
  return areDaysRight(schedule) && areAmountsRight(schedule.terms)
}

function areDaysRight({ start, end, terms: { first, last } }: Schedule): boolean {
  const isInside = (day: Day) => day >= start && (end === null || day <= end)
  if (end !== null && end < start) return false
  if (first !== null && !isInside(first.date)) return false
  if (last === null) return true
  if (first !== null && last.date <= first.date) return false
  return isInside(last.date) && end !== null && end - last.date <= 7
}

/** Neither the first nor the last payment may be above the maximum amount. */
function areAmountsRight({ isFixed, cents, first, last }: ModelTerms): boolean {
  return isFixed || [first, last].every((one) => one === null || one.cents <= cents)
}

/** The 5th of January 1970 was a Monday. */
const MONDAY = 4

/** The period of a day; null where there is no frequency. */
export function periodOf({ start, terms: { frequency } }: Schedule, day: Day): Period | null {
  if (frequency === null) return null
  const months = MONTHS[frequency]
  if (months !== undefined) {
    const { year, month } = monthOf(day)
    const first = month - (month % months)
    return { from: dayOf(year, first, 1), to: dayOf(year, first + months, 1) - 1 }
  }
  const length = DAYS[frequency] ?? 1
  const monday = start - ((((start - MONDAY) % 7) + 7) % 7)
  const from = monday + Math.floor((day - monday) / length) * length
  return { from, to: from + length - 1 }
}

/** The due day of the period of a day; null where it has none. */
function dueDayOf(schedule: Schedule, day: Day): Day | null {
  const { start, end, terms } = schedule
  const { point, first, last } = terms
  const period = periodOf(schedule, day)
  if (period === null || point === null) return null
  const isInPeriod = (date: Day) => date >= period.from && date <= period.to
  const due =
    [first, last].find((one) => one !== null && isInPeriod(one.date))?.date ??
    Math.min(period.from + point - 1, period.to)
  if (due < start || (end !== null && due > end)) return null
  return (first !== null && due < first.date) || (last !== null && due > last.date) ? null : due
}

/** No period is longer than this, and each has a due day except perhaps the first and the last. */
const FAR = 366 * 3

/** The first due day after a day, found by looking at every day. */
export function dueDayAfter(schedule: Schedule, after: Day): Day | null {
  const { start, terms } = schedule
  const from = Math.max(after + 1, start)
  for (let day = from; day < Math.max(from, terms.first?.date ?? 0) + FAR; day += 1) {
    if (dueDayOf(schedule, day) === day) return day
    if (schedule.end !== null && day > schedule.end) return null
  }
  return null
}

/** The first day of a period on which the merchant may send its payment. */
export function opensOn(schedule: Schedule, day: Day): Day {
  const period = periodOf(schedule, day)
  const { point } = schedule.terms
  if (period === null || point === null) return day
  return dueDayOf(schedule, day) ?? Math.min(period.from + point - 1, period.to)
}
