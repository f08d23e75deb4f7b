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
/** The same where all schemes are counted together: of these the periods of an overview are put together. */
export const WHOLE_SPANS_MINUTES = [360, 60, 15] as const
type SpanMinutes = (typeof SPANS_MINUTES | typeof WHOLE_SPANS_MINUTES)[number]

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

/**
 * Period n lies between marks n and n + 1 (minutes, multiples of six hours); corrections add or take what lies between a bound and its
 * mark.
 */
export interface MarkedPeriods {
  marks: number[]
  corrections: Correction[]
}

/** What happened in a stretch is added to one period and taken from another; null: from none, to none. */
export interface Correction extends Stretch {
  addedTo: number | null
  takenFrom: number | null
}

const [SIX_HOURS] = WHOLE_SPANS_MINUTES

/**
 * The periods between neighbours of `bounds` (minutes), told by the multiples of six hours that are nearest to these: what lies between
 * a bound and its mark belongs to the period on its other side. So a day that begins at 13:00 takes 5 tallies instead of 24.
 */
export function periodsBetween(bounds: readonly number[]): MarkedPeriods {
  const marks = bounds.map((bound) => Math.round(bound / SIX_HOURS) * SIX_HOURS)
  const corrections = bounds.flatMap((bound, at) => {
    const before = at > 0 ? at - 1 : null
    const after = at + 1 < bounds.length ? at : null
    const mark = marks[at] ?? bound
    const [addedTo, takenFrom] = mark < bound ? [before, after] : [after, before]
    return stretchesOf(Math.min(mark, bound), Math.max(mark, bound), WHOLE_SPANS_MINUTES).map(
      ({ spanMinutes, fromMinute, toMinute }) => ({ spanMinutes, fromMinute, toMinute, addedTo, takenFrom }),
    )
  })
  return { marks, corrections }
}
