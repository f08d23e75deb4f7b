import type { Tally } from '../../../contract/dashboard/overview.ts'

type Tallies = Record<'authorised' | 'captured' | 'refunded' | 'cancelled' | 'declined', Tally>

/** What was counted of one currency. */
export interface OfCurrency extends Readonly<Tallies> {
  currency: string
}

/** All of them together. */
export function sumOf(counted: readonly Readonly<Tallies>[]): Tallies {
  const sum = (kind: keyof Tallies): Tally =>
    counted.reduce(
      ({ count, cents }, one) => ({ count: count + one[kind].count, cents: cents + one[kind].cents }),
      { count: 0, cents: 0 },
    )
  return {
    authorised: sum('authorised'),
    captured: sum('captured'),
    refunded: sum('refunded'),
    cancelled: sum('cancelled'),
    declined: sum('declined'),
  }
}

/** Of the sales that an issuer has answered those that it approved, 0 to 1; null where there were none. */
export function approvalRateOf(counted: readonly Readonly<Tallies>[]): number | null {
  const { authorised, declined } = sumOf(counted)
  const answered = authorised.count + declined.count
  return answered === 0 ? null : authorised.count / answered
}

/** Things by what they have in common, in the order of that. */
export function groupsOf<Thing, Key extends string | number>(
  things: readonly Thing[],
  keyOf: (thing: Thing) => Key,
): [Key, Thing[]][] {
  const groups = new Map<Key, Thing[]>()
  for (const thing of things) {
    const group = groups.get(keyOf(thing))
    if (group === undefined) groups.set(keyOf(thing), [thing])
    else group.push(thing)
  }
  return [...groups].sort(([one], [other]) => (one < other ? -1 : 1))
}
