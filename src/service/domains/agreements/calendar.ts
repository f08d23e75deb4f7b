import { Temporal } from 'temporal-polyfill'
import type { Frequency } from '../../../contract/api/agreements/payment-terms.ts'

/** A calendar day in Sydney, such as `2026-11-22`. Days compare as texts. */
export type Day = string

const inSydney = new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney', dateStyle: 'short' })

/** The day in Sydney at a time (ms since 1970), with daylight saving. */
export function dayAt(epochMs: number): Day {
  return inSydney.format(epochMs)
}

/** The day that is `days` after another; before it if `days` is negative. */
export function addDays(day: Day, days: number): Day {
  return Temporal.PlainDate.from(day).add({ days }).toString()
}

/** How many days the second day is after the first. */
export function daysBetween(one: Day, other: Day): number {
  return Temporal.PlainDate.from(one).until(other, { largestUnit: 'day' }).days
}

/** A period in which a recurring agreement counts its payments, first and last day included. */
export interface Period {
  from: Day
  to: Day
}

/** The last day that fits `YYYY-MM-DD`; every period ends by then. */
export const LAST_DAY: Day = '9999-12-31'

type Length = { days: number } | { months: number }

const LENGTHS: Readonly<Record<Frequency, Length>> = {
  daily: { days: 1 },
  weekly: { days: 7 },
  fortnightly: { days: 14 },
  monthly: { months: 1 },
  quarterly: { months: 3 },
  half_yearly: { months: 6 },
  yearly: { months: 12 },
}

/** The period that a day is in (contract §6.3). Fortnights are counted from the Monday of the agreement's first week. */
export function periodAt(frequency: Frequency, startDate: Day, day: Day): Period {
  const length = LENGTHS[frequency]
  const at = Temporal.PlainDate.from(day)
  return 'days' in length
    ? periodOfDays(length.days, mondayOf(Temporal.PlainDate.from(startDate)), at)
    : periodOfMonths(length.months, at)
}

/** The n-th day of a period, from 1; its last day if it is shorter. */
export function dayOfPeriod({ from, to }: Period, point: number): Day {
  const day = Temporal.PlainDate.from(from).add({ days: point - 1 })
  return Temporal.PlainDate.compare(day, to) < 0 ? day.toString() : to
}

function periodOfDays(length: number, origin: Temporal.PlainDate, at: Temporal.PlainDate): Period {
  const periodsBefore = Math.floor(origin.until(at).days / length)
  const from = origin.add({ days: periodsBefore * length })
  return toPeriod(from, from.add({ days: length - 1 }))
}

function periodOfMonths(months: number, at: Temporal.PlainDate): Period {
  const from = at.with({ month: at.month - ((at.month - 1) % months), day: 1 })
  return toPeriod(from, from.add({ months }).subtract({ days: 1 }))
}

function mondayOf(day: Temporal.PlainDate): Temporal.PlainDate {
  return day.subtract({ days: day.dayOfWeek - 1 })
}

function toPeriod(from: Temporal.PlainDate, to: Temporal.PlainDate): Period {
  return { from: from.toString(), to: to.year > 9999 ? LAST_DAY : to.toString() }
}
