/** What is counted of charges. `authorised`: sales that the issuer approved, held or taken at once; `declined`: those that it declined. */
export const TALLY_KINDS = ['authorised', 'captured', 'refunded', 'cancelled', 'declined'] as const
export type TallyKind = (typeof TALLY_KINDS)[number]

/** How many there were, and of how many cents in all. */
interface Tally {
  count: number
  cents: number
}
export type Tallies = Readonly<Record<TallyKind, Tally>>

/** Into what time is cut, in minutes. Every zone's offset from UTC is a multiple of the last. */
export const SPANS_MINUTES = [60, 30, 15] as const
type SpanMinutes = (typeof SPANS_MINUTES)[number]

/** The longest span into which all of these moments cut time. */
export function spanFor(bounds: readonly Date[]): SpanMinutes {
  const isOn = (minutes: number) => bounds.every((bound) => bound.getTime() % (minutes * 60_000) === 0)
  return SPANS_MINUTES.find(isOn) ?? 15
}
