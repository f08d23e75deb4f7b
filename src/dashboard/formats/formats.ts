import { daysBetween, startOfDay } from './day-start.ts'
import { LANGUAGES } from '../../contract/page/widget-appearance.ts'

/** How numbers and times are written for one person. Times are ISO 8601, amounts integer cents. */
export interface Formats {
  money: (cents: number, currency: string) => string
  /** The same where there is little room, such as $1.2K. */
  shortMoney: (cents: number, currency: string) => string
  number: (value: number) => string
  /** A share of 1, such as 0.934, as a percentage with one decimal. */
  percent: (share: number) => string
  /** Such as 21 Nov 2026. */
  date: (time: string) => string
  /** A calendar day such as `2026-11-21`, which is the same in every zone. */
  day: (day: string) => string
  /** Such as 21 Nov. */
  dayOfMonth: (time: string) => string
  /** Such as 14:05. */
  time: (time: string) => string
  /** Such as 21 Nov 2026, 14:05. */
  dateTime: (time: string) => string
  /** To the second, with the zone's name. */
  exact: (time: string) => string
  /** Such as "in 2 hours" or "3 days ago". */
  relative: (time: string) => string
  /** By days of the calendar in the person's zone, such as "today", "tomorrow" or "in 3 days". */
  relativeDay: (time: string) => string
  /** When a day such as `2026-11-21` begins and ends in the person's zone; null for what is no day. */
  dayStart: (day: string) => string | null
  dayEnd: (day: string) => string | null
}

interface FormatParts {
  locale: string
  /** IANA name, such as `Australia/Sydney`. */
  timeZone: string
  /** Ms since 1970. */
  now: () => number
}

export function createFormats({ locale, timeZone, now }: FormatParts): Formats {
  const dates = (options: Intl.DateTimeFormatOptions) => {
    const format = once(() => new Intl.DateTimeFormat(locale, { timeZone, ...options }))
    return (time: string) => format().format(new Date(time))
  }
  const days = once(() => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'medium' }))
  const numbers = (options?: Intl.NumberFormatOptions) => {
    const format = once(() => new Intl.NumberFormat(locale, options))
    return (value: number) => format().format(value)
  }
  const relatives = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))
  return {
    money: createMoneyFormat(locale),
    shortMoney: createMoneyFormat(locale, { notation: 'compact' }),
    number: numbers(),
    percent: numbers({ style: 'percent', maximumFractionDigits: 1 }),
    day: (day) => days().format(new Date(`${day}T00:00:00Z`)),
    date: dates({ dateStyle: 'medium' }),
    dayOfMonth: dates({ day: 'numeric', month: 'short' }),
    time: dates({ timeStyle: 'short' }),
    dateTime: dates({ dateStyle: 'medium', timeStyle: 'short' }),
    exact: dates({ dateStyle: 'full', timeStyle: 'long' }),
    relative: (time) => {
      const [count, unit] = distanceOf(new Date(time).getTime() - now())
      return relatives().format(count, unit)
    },
    relativeDay: (time) => relatives().format(daysBetween(now(), new Date(time).getTime(), timeZone), 'day'),
    dayStart: (day) => startOfDay(day, timeZone),
    dayEnd: (day) => startOfDay(day, timeZone, 1),
  }
}

/** Calls `make` when the format is first needed: a page needs few of the formats, and each takes a while to make. */
function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => (made ??= make())
}

/** Makes one format for each currency: making them for each row of a table takes time. */
function createMoneyFormat(locale: string, options: Intl.NumberFormatOptions = {}): Formats['money'] {
  const formats = new Map<string, Intl.NumberFormat>()
  return (cents, currency) => {
    const format =
      formats.get(currency) ?? new Intl.NumberFormat(locale, { ...options, style: 'currency', currency })
    formats.set(currency, format)
    return format.format(cents / 100)
  }
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** A distance in ms in the largest unit that fits, counted toward zero. */
function distanceOf(ms: number): [number, Intl.RelativeTimeFormatUnit] {
  for (const [unit, size] of UNITS) if (Math.abs(ms) >= size) return [Math.trunc(ms / size), unit]
  return [Math.trunc(ms / 1000), 'second']
}

/** The first of a person's languages that numbers and dates can be written in, with its region; else Australian English. */
export function localeOf(languages: readonly string[]): string {
  const known: readonly string[] = LANGUAGES
  return languages.find((language) => known.includes(language.split('-')[0] ?? '')) ?? 'en-AU'
}
