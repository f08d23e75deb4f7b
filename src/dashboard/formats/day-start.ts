/** The moment, as ISO 8601, at which a calendar day begins in a zone. `after` counts days: 1 gives the end of the day. */
export function dayStart(day: string, timeZone: string, after = 0): string {
  const utc = Date.parse(`${day}T00:00:00Z`) + after * DAY_MS
  // The offset may change between midnight in UTC and midnight in the zone, so it is looked at again there.
  const guess = utc - offsetMs(utc, timeZone)
  return new Date(utc - offsetMs(guess, timeZone)).toISOString()
}

const DAY_MS = 86_400_000

/** How far a zone's clocks are ahead of UTC at a moment, in ms. */
function offsetMs(at: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d+):(\d+)/.exec(name) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

/** Whether a text is a calendar day such as `2026-11-21`. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !isNaN(Date.parse(`${text}T00:00:00Z`))
}
