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
/** The same where all schemes are counted together, as long rows of days are put together of these. */
export const WHOLE_SPANS_MINUTES = [1440, 360, 60, 15] as const
type SpanMinutes = (typeof WHOLE_SPANS_MINUTES)[number]

/** A time that is covered by spans of one length: from the first minute on (since 1970), and before the second. */
export interface Stretch {
  spanMinutes: SpanMinutes
  fromMinute: number
  toMinute: number
}

/** The time between two minutes on the quarter hour, covered by as few of these spans as there can be, in their order. */
export function stretchesOf(from: number, to: number, spans: readonly SpanMinutes[]): Stretch[] {
  const stretches: Stretch[] = []
  let last: Stretch | undefined
  for (let minute = from; minute < to; minute = last.toMinute) {
    const spanMinutes = spans.find((span) => minute % span === 0 && minute + span <= to)
    if (spanMinutes === undefined) throw new Error(`no quarter hour begins at minute ${String(minute)}`)
    if (last?.spanMinutes === spanMinutes) last.toMinute += spanMinutes
    else {
      last = { spanMinutes, fromMinute: minute, toMinute: minute + spanMinutes }
      stretches.push(last)
    }
  }
  return stretches
}

/** What happened in a stretch is added to one period and taken from another; null: from none, to none. */
export interface SignedStretch extends Stretch {
  addedTo: number | null
  takenFrom: number | null
}

const SIX_HOURS = 360

/**
 * Each period between two neighbours of `bounds` (minutes), counted from 0, as stretches. A period is the time between those multiples of
 * six hours that are nearest to its bounds; what lies between a bound and that multiple is added to one of its two periods and taken from
 * the other. So a day that begins at 13:00 takes 6 tallies instead of 24.
 */
export function stretchesOfPeriods(bounds: readonly number[]): SignedStretch[] {
  const nearest = bounds.map((bound) => Math.round(bound / SIX_HOURS) * SIX_HOURS)
  const stretches: SignedStretch[] = []
  const add = (from: number, to: number, addedTo: number | null, takenFrom: number | null) => {
    for (const { spanMinutes, fromMinute, toMinute } of stretchesOf(from, to, WHOLE_SPANS_MINUTES))
      stretches.push({ spanMinutes, fromMinute, toMinute, addedTo, takenFrom })
  }
  for (const [at, bound] of bounds.entries()) {
    const before = at > 0 ? at - 1 : null
    const after = at + 1 < bounds.length ? at : null
    const start = nearest[at] ?? bound
    add(start, nearest[at + 1] ?? start, after, null)
    add(start, bound, before, after)
    add(bound, start, after, before)
  }
  return stretches
}
