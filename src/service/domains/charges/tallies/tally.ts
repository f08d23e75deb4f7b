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

/** A time that is covered by spans of one length: from the first minute on (since 1970), and before the second. */
export interface Stretch {
  spanMinutes: (typeof SPANS_MINUTES)[number]
  fromMinute: number
  toMinute: number
}

/** The time between two minutes on the quarter hour, covered by as few spans as there can be, in their order. */
export function stretchesOf(from: number, to: number): Stretch[] {
  const stretches: Stretch[] = []
  let last: Stretch | undefined
  for (let minute = from; minute < to; minute = last.toMinute) {
    const spanMinutes = SPANS_MINUTES.find((span) => minute % span === 0 && minute + span <= to)
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
 * How periods are put together of six hours each: period n first has what happened between marks n and n + 1. Then each of the `hours`
 * and `quarters` (of an hour) is moved from the period that its marks say to the one that its bounds say. All are minutes since 1970.
 */
export interface MarkedPeriods {
  marks: number[]
  hours: number[]
  quarters: number[]
}

const [SIX_HOURS, HOUR, QUARTER] = WHOLE_SPANS_MINUTES

/**
 * The periods between neighbours of `bounds` (minutes on the quarter hour, in their order), each with the multiple of six hours that is
 * nearest to it as its mark. So a day that begins at 13:00 takes 5 tallies instead of 24.
 */
export function periodsBetween(bounds: readonly number[]): MarkedPeriods {
  const marks = bounds.map((bound) => Math.round(bound / SIX_HOURS) * SIX_HOURS)
  const hours: number[] = []
  const quarters: number[] = []
  const edges = [...new Set([...bounds, ...marks])].toSorted((one, other) => one - other)
  let boundsBefore = 0
  let marksBefore = 0
  for (const [at, from] of edges.entries()) {
    while ((bounds[boundsBefore] ?? Infinity) <= from) boundsBefore += 1
    while ((marks[marksBefore] ?? Infinity) <= from) marksBefore += 1
    if (boundsBefore === marksBefore) continue
    const to = edges[at + 1] ?? from
    for (let minute = from; minute < to;) {
      const isHour = minute % HOUR === 0 && minute + HOUR <= to
      if (isHour) hours.push(minute)
      else quarters.push(minute)
      minute += isHour ? HOUR : QUARTER
    }
  }
  return { marks, hours, quarters }
}
