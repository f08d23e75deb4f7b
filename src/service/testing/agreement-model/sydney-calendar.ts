/** A calendar day as a number: days since 1970-01-01. */
export type Day = number

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

/** First Sundays of October and of April: summer time lasts from the one to the other. */
const SUMMERS: readonly (readonly [string, string])[] = [
  ['2026-10-04', '2027-04-04'],
  ['2027-10-03', '2028-04-02'],
  ['2028-10-01', '2029-04-01'],
  ['2029-10-07', '2030-04-07'],
  ['2030-10-06', '2031-04-06'],
  ['2031-10-05', '2032-04-04'],
  ['2032-10-03', '2033-04-03'],
  ['2033-10-02', '2034-04-02'],
  ['2034-10-01', '2035-04-01'],
  ['2035-10-07', '2036-04-06'],
]
/** The end of the table. */
export const LAST_TIME = Date.parse('2036-04-01T00:00:00Z')

/** Summer time begins at 2:00 (UTC+10) and ends at 3:00 (UTC+11): both are 16:00 UTC of the day before. */
const changeOn = (sunday: string): number => Date.parse(`${sunday}T00:00:00Z`) - 8 * HOUR_MS
const summers = SUMMERS.map(([from, to]) => [changeOn(from), changeOn(to)] as const)

function offsetAt(time: number): number {
  return (summers.some(([from, to]) => time >= from && time < to) ? 11 : 10) * HOUR_MS
}

/** The calendar day in Sydney at a time, in ms since 1970. */
export function dayAt(time: number): Day {
  return Math.floor((time + offsetAt(time)) / DAY_MS)
}

/** The time at which a day begins in Sydney. */
export function midnightOf(day: Day): number {
  const inSummer = day * DAY_MS - 11 * HOUR_MS
  return dayAt(inSummer) === day ? inSummer : day * DAY_MS - 10 * HOUR_MS
}

export function toText(day: Day): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

export function dayOf(year: number, month: number, date: number): Day {
  return Date.UTC(year, month, date) / DAY_MS
}

/** The year and the month, from 0, of a day. */
export function monthOf(day: Day): { year: number; month: number } {
  const date = new Date(day * DAY_MS)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() }
}
