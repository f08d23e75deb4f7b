import { Temporal } from 'temporal-polyfill'

/** A calendar day in Sydney, such as `2026-11-22`: days compare as texts. */
export type Day = string

const inSydney = new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney', dateStyle: 'short' })

/** The day that it is in Sydney at a time (ms since 1970), daylight saving included. */
export function dayAt(epochMs: number): Day {
  return inSydney.format(epochMs)
}

/** The day `days` after another, or before it where `days` is negative. */
export function addDays(day: Day, days: number): Day {
  return Temporal.PlainDate.from(day).add({ days }).toString()
}

/** How many days later the second is. */
export function daysBetween(one: Day, other: Day): number {
  return Temporal.PlainDate.from(one).until(other, { largestUnit: 'day' }).days
}
