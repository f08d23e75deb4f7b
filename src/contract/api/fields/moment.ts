import * as v from 'valibot'

/** Whether there is such a day, as `2026-11-22`: `Date` takes the 31st of February for the 3rd of March. */
export function isRealDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`)
  return !isNaN(time) && new Date(time).toISOString().startsWith(day)
}

const TIME = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d(?::\d\d)?)([.,]\d{1,9})?(?:[Zz]|([+-]\d\d)(?::?(\d\d))?)$/

/**
 * A time with its zone, as RFC 3339 and ISO 8601 write it, to the millisecond; null for what is none, or has no zone. Leap seconds are
 * refused, as no clock here has them.
 */
export function momentOf(text: string): Date | null {
  const [, day = '', time = '', fraction = '', hours, minutes = '00'] = TIME.exec(text) ?? []
  const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`
  const seconds = time.length === 'hh:mm'.length ? ':00' : ''
  const moment = new Date(
    `${day}T${time}${seconds}${fraction.replace(',', '.').slice(0, '.mmm'.length)}${zone}`,
  )
  return isNaN(moment.getTime()) || !isRealDay(day) ? null : moment
}

const NO_MOMENT =
  'must be a time with its zone, such as 2026-11-21T10:00:00.000Z or 2026-11-21T20:00:00+10:00'

/** A time in the body of a request. */
export const Moment = v.pipe(
  v.string(NO_MOMENT),
  v.check((text) => momentOf(text) !== null, NO_MOMENT),
  v.metadata({ format: 'date-time' }),
  v.transform((text) => momentOf(text) ?? new Date(NaN)),
)
