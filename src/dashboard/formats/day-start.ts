const DAY_S = 86_400

/**
 * When a day such as `2026-11-21` begins in a time zone, as ISO 8601: the first moment whose local date it is, or a later one
 * where clocks leave the day out. Null for what is no day, and after the year 9999. `later`: that many days after it.
 */
export function startOfDay(day: string, timeZone: string, later = 0): string | null {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  const isDay = !isNaN(midnight) && new Date(midnight).toISOString().startsWith(day) && day.length === 10
  if (!isDay) return null
  const wanted = midnight / 1000 + later * DAY_S
  const localTimeAt = localClock(timeZone)
  // Halving finds it also where clocks jump over midnight. No zone is more than a day ahead of UTC or behind it.
  let [before, start] = [wanted - DAY_S, wanted + DAY_S]
  while (start - before > 1) {
    const middle = Math.floor((before + start) / 2)
    if (localTimeAt(middle) < wanted) before = middle
    else start = middle
  }
  const iso = new Date(start * 1000).toISOString()
  return iso.startsWith('+') ? null : iso
}

/** The calendar day of a moment (ms since 1970) in a time zone, as `2026-11-21`. */
export function dayOf(moment: number, timeZone: string): string {
  return new Date(localClock(timeZone)(moment / 1000) * 1000).toISOString().slice(0, '2026-11-21'.length)
}

/** How many days of the calendar lie between two moments (ms since 1970) in a time zone; below 0 where `to` is on an earlier day. */
export function daysBetween(from: number, to: number, timeZone: string): number {
  const localTimeAt = localClock(timeZone)
  const dayAt = (moment: number) => Math.floor(localTimeAt(moment / 1000) / DAY_S)
  return dayAt(to) - dayAt(from)
}

/** What the clocks of a zone show at a moment, both in seconds since 1970, the former as if the zone were UTC. */
function localClock(timeZone: string): (moment: number) => number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (moment) => {
    const parts = new Map(format.formatToParts(moment * 1000).map(({ type, value }) => [type, Number(value)]))
    const at = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? NaN
    return Date.UTC(at('year'), at('month') - 1, at('day'), at('hour'), at('minute'), at('second')) / 1000
  }
}
