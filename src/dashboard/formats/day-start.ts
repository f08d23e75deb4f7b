const DAY_MS = 86_400_000

/**
 * When a day such as `2026-11-21` begins in a time zone, as ISO 8601; null for what is no day. `later`: that many days
 * after it.
 */
export function startOfDay(day: string, timeZone: string, later = 0): string | null {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  const isDay = !isNaN(midnight) && new Date(midnight).toISOString().startsWith(day) && day.length === 10
  if (!isDay) return null
  const wanted = midnight + later * DAY_MS
  // The offset of the zone at its own midnight: the first guess may lie beyond a change of summer time.
  const guess = wanted - offsetAt(wanted, timeZone)
  return new Date(wanted - offsetAt(guess, timeZone)).toISOString()
}

/** How many ms the clocks of a zone are ahead of UTC at a moment. */
function offsetAt(moment: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(moment)
  const at = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value)
  const local = Date.UTC(at('year'), at('month') - 1, at('day'), at('hour'), at('minute'), at('second'))
  return local - Math.floor(moment / 1000) * 1000
}
