/** What is counted of charges. `authorised`: sales that the issuer approved, held or taken at once; `declined`: those that it declined. */
export const TALLY_KINDS = ['authorised', 'captured', 'refunded', 'cancelled', 'declined'] as const
export type TallyKind = (typeof TALLY_KINDS)[number]

/** How many there were, and of how many cents in all. */
interface Tally {
  count: number
  cents: number
}
export type Tallies = Readonly<Record<TallyKind, Tally>>

/** Into what time is cut, in minutes from 1970 on (UTC). Every zone's offset from UTC is a multiple of the last. */
export const SPANS_MINUTES = [1440, 60, 15] as const
type SpanMinutes = (typeof SPANS_MINUTES)[number]

/** A time that is covered by spans of one length: from the first moment on, and before the second. */
export interface Stretch {
  spanMinutes: SpanMinutes
  from: Date
  to: Date
}

/** A time between two moments on the quarter hour, covered by as few spans as there can be, in their order. */
export function stretchesOf(
  from: Date,
  to: Date,
  [spanMinutes, ...finer]: readonly SpanMinutes[] = SPANS_MINUTES,
): Stretch[] {
  if (spanMinutes === undefined || from >= to) return []
  const ms = spanMinutes * 60_000
  const first = new Date(Math.ceil(from.getTime() / ms) * ms)
  const last = new Date(Math.floor(to.getTime() / ms) * ms)
  if (first >= last) return stretchesOf(from, to, finer)
  return [
    ...stretchesOf(from, first, finer),
    { spanMinutes, from: first, to: last },
    ...stretchesOf(last, to, finer),
  ]
}
