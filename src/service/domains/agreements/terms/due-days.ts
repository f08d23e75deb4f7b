import type { Agreement } from '../agreement.ts'
import { addDays } from './day.ts'
import type { Day } from './day.ts'
import { LAST_DAY, dayOfPeriod, periodAt } from './periods.ts'
import type { Period } from './periods.ts'

/** What of an agreement says on which days the service collects. */
export type Schedule = Pick<Agreement, 'type' | 'startDate' | 'endDate' | 'terms'>

/**
 * The first due day after another one, or the first of all where `after` is null; null when there is none, as when the merchant
 * sends the payments itself (contract §6.5, Collection).
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

/** The day of a period on which the service collects; null where it does not. */
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

/** Nothing is due after it. */
function lastDayOf({ endDate, terms }: Schedule): Day {
  const end = endDate ?? LAST_DAY
  const last = terms.lastPayment?.date ?? end
  return last < end ? last : end
}

function later(one: Day, other: Day): Day {
  return one > other ? one : other
}
