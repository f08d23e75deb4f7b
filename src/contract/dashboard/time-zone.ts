import * as v from 'valibot'

/** A time zone by its name in the IANA database, such as `Australia/Adelaide`. */
export const TimeZone = v.pipe(
  v.string(),
  v.maxLength(64, 'must be a time zone such as Australia/Sydney'),
  v.check(isTimeZone, 'must be a time zone such as Australia/Sydney'),
)

function isTimeZone(name: string): boolean {
  // Node and browsers also take offsets such as +10:00, which no daylight saving follows.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
