import { USUAL_DAYS } from '../../../contract/dashboard/overview.ts'
import type { Overview } from '../../../contract/dashboard/overview.ts'

/** How many days back the page offers to look. */
export const PRESETS = [1, 7, 30, 90] as const
export type Preset = (typeof PRESETS)[number]

const DAY_MS = 86_400_000

/** Days of an overview, both included; null: the service's default. `preset` is null for days that a person chose. */
export interface Days {
  chosen: Pick<Overview, 'from' | 'to'> | null
  preset: Preset | null
}

/** The days that an address asks for: `from` and `to`, or the last `days` until today, which `todayIs` gives. */
export function daysIn(query: URLSearchParams, todayIs: () => string): Days {
  const [from, to] = [query.get('from'), query.get('to')]
  if (from !== null || to !== null) {
    const last = to ?? todayIs()
    return { chosen: { from: from ?? daysBefore(last, USUAL_DAYS - 1), to: last }, preset: null }
  }
  const preset = PRESETS.find((days) => String(days) === query.get('days')) ?? USUAL_DAYS
  if (preset === USUAL_DAYS) return { chosen: null, preset }
  const today = todayIs()
  return { chosen: { from: daysBefore(today, preset - 1), to: today }, preset }
}

/** The calendar day of a moment (ms since 1970) in a time zone, as `2026-11-21`. */
export function dayOf(moment: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    .formatToParts(moment)
    .map(({ type, value }) => [type, value] as const)
  const at = new Map(parts)
  return `${at.get('year') ?? ''}-${at.get('month') ?? ''}-${at.get('day') ?? ''}`
}

function daysBefore(day: string, days: number): string {
  const moment = Date.parse(`${day}T00:00:00Z`)
  return isNaN(moment) ? day : new Date(moment - days * DAY_MS).toISOString().slice(0, day.length)
}
