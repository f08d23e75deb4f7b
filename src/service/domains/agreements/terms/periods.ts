import { Temporal } from 'temporal-polyfill'
import type { Frequency } from '../../../../contract/api/agreements/payment-terms.ts'
import type { Day } from './day.ts'

/** A stretch of the calendar in which a recurring agreement's payments are counted; both days belong to it. */
export interface Period {
  from: Day
  to: Day
}

/** The last day that fits `YYYY-MM-DD`: no period goes further. */
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

/** The period that a day is in (contract §6.3). `startDate`, of the agreement: fortnights are counted from the Monday of its week. */
export function periodAt(frequency: Frequency, startDate: Day, day: Day): Period {
  const length = LENGTHS[frequency]
  const at = Temporal.PlainDate.from(day)
  return 'days' in length
    ? periodOfDays(length.days, mondayOf(Temporal.PlainDate.from(startDate)), at)
    : periodOfMonths(length.months, at)
}

/** The n-th day of a period, from 1; the last day of a period that is shorter. */
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
