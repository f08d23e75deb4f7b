import { Temporal } from 'temporal-polyfill'
import { MAX_DAYS, MAX_DAYS_BY_HOUR, USUAL_DAYS } from '../../../contract/dashboard/overview.ts'
import type { OverviewQuery } from '../../../contract/dashboard/overview.ts'
import { invalidField } from '../../platform/errors.ts'

type Step = NonNullable<OverviewQuery['step']>

/** Days of a time zone, both included; with a `step`, how they are to be cut. */
export interface Days extends Pick<OverviewQuery, 'step'> {
  from: string
  to: string
  time_zone: string
}

/** How an overview cuts its time: each period lies between two neighbours of `bounds`. */
export interface Periods {
  step: Step
  bounds: readonly Date[]
  /** The first of the bounds, and the last. */
  from: Date
  to: Date
}

/** The most days that are shown by the hour unless the request says otherwise. */
const DAYS_BY_HOUR = 2

/** The last days of a zone, up to today, at a moment in ms since the epoch. */
export function usualDays(nowMs: number, zone: string): Days {
  const today = Temporal.Instant.fromEpochMilliseconds(Math.floor(nowMs))
    .toZonedDateTimeISO(zone)
    .toPlainDate()
  return { from: today.subtract({ days: USUAL_DAYS - 1 }).toString(), to: today.toString(), time_zone: zone }
}

/**
 * The days or hours from the first day to the last, as clocks of the zone count them: a day may have 23 or 25 hours. Throws
 * `validation_error` where the last is before the first, or they are too many.
 */
export function periodsOf({ from, to, time_zone: zone, step: asked }: Days): Periods {
  const first = Temporal.PlainDate.from(from)
  const days = first.until(Temporal.PlainDate.from(to), { largestUnit: 'day' }).days + 1
  const step = asked ?? (days <= DAYS_BY_HOUR ? 'hour' : 'day')
  if (days < 1) throw invalidField('to', 'must not be before from')
  if (days > (step === 'hour' ? MAX_DAYS_BY_HOUR : MAX_DAYS))
    throw invalidField('to', 'is too long after from')
  const starts = startsOfDays(first, days + 1, zone)
  const bounds = step === 'day' ? starts : hoursIn(starts)
  return {
    step,
    bounds: bounds.map((epochMs) => new Date(epochMs)),
    from: new Date(Math.min(...starts)),
    to: new Date(Math.max(...starts)),
  }
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** When each of these days begins in a zone, in ms since the epoch. Its calendar is slow, so it is asked only where clocks may change. */
function startsOfDays(first: Temporal.PlainDate, count: number, zone: string): number[] {
  const starts: number[] = []
  let steadyUntil = -Infinity
  for (let day = 0; day < count; day += 1) {
    const next = (starts.at(-1) ?? 0) + DAY_MS
    if (next < steadyUntil) {
      starts.push(next)
    } else {
      const date = first.add({ days: day })
      const start = date.toZonedDateTime(zone)
      starts.push(start.epochMilliseconds)
      steadyUntil = endOfSteadyDays(date, start)
    }
  }
  return starts
}

/** Until when (ms since the epoch) each day begins 24 hours after the one before; -Infinity after a day without midnight. */
function endOfSteadyDays(date: Temporal.PlainDate, start: Temporal.ZonedDateTime): number {
  if (!start.toPlainDateTime().equals(date.toPlainDateTime())) return -Infinity
  return start.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity
}

/** Every hour of days that begin at these times, and the end of the last. */
function hoursIn(starts: readonly number[]): number[] {
  return starts.flatMap((start, at) => {
    const next = starts[at + 1]
    if (next === undefined) return [start]
    return Array.from({ length: Math.ceil((next - start) / HOUR_MS) }, (_, hour) => start + hour * HOUR_MS)
  })
}
