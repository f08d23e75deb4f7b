import fc from 'fast-check'
import { FREQUENCIES } from './model-terms.ts'
import type { AgreementType, Frequency } from './model-terms.ts'
import type { Operation, WishedTerms } from './operation.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './sydney-calendar.ts'

/** `often`: given in three of four cases; `seldom`: in one of four; else left out. */
const often = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null, freq: 4 })
const seldom = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value })
const point = fc.constantFrom(1, 2, 5, 7, 13, 15, 28, 29, 31, 60, 92, 184, 366)
export const answerIn = seldom(
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(HOUR_MS, DAY_MS, 5 * DAY_MS) },
    { weight: 1, arbitrary: fc.constantFrom(5 * DAY_MS + MINUTE_MS, -MINUTE_MS) },
  ),
)
const max = often(fc.constantFrom(2, 3, 4))

const base = {
  isFixed: fc.boolean(),
  cents: fc.constantFrom(1000, 1000, 2500),
  first: seldom(
    fc.record({ in: fc.integer({ min: 0, max: 12 }), cents: fc.constantFrom(500, 500, 500, 1001) }),
  ),
  last: seldom(
    fc.record({ before: fc.constantFrom(0, 1, 3, 7, 8), cents: fc.constantFrom(700, 700, 700, 1001) }),
  ),
}
const once: fc.Arbitrary<WishedTerms> = fc.record({
  ...base,
  frequency: fc.constant(null),
  count: fc.constant(null),
  point: fc.constant(null),
  first: fc.constant(null),
  last: fc.constant(null),
})
const frequency = fc.constantFrom(...FREQUENCIES)
const counted: fc.Arbitrary<WishedTerms> = fc.record({
  ...base,
  frequency,
  count: often(fc.constantFrom(1, 2, 3)),
  point: fc.constant(null),
})
const SHORT: Readonly<Partial<Record<Frequency, number>>> = { daily: 1, weekly: 7, fortnightly: 14 }
/** Mostly points that even a short period has. */
const collected: fc.Arbitrary<WishedTerms> = fc
  .record({
    ...base,
    isFixed: fc.constant(true),
    count: fc.constant(null),
    frequency,
    point,
    asIs: fc.nat(19),
  })
  .map(({ asIs, ...terms }) => {
    const longest = asIs > 0 ? SHORT[terms.frequency] : undefined
    return { ...terms, point: Math.min(terms.point, longest ?? terms.point) }
  })
/** Terms of which most combinations are not valid for any type. */
const mixed: fc.Arbitrary<WishedTerms> = fc.record({
  ...base,
  frequency: often(frequency),
  count: often(fc.constant(2)),
  point: often(point),
})
export const termsOf = (type: AgreementType): fc.Arbitrary<WishedTerms> =>
  fc.oneof(
    { weight: 12, arbitrary: type === 'recurring' ? fc.oneof(counted, collected, collected) : once },
    { weight: 1, arbitrary: mixed },
  )
export const maxOf = (type: AgreementType) => (type === 'adhoc' ? max : fc.constant(null))
export const endIn = fc.option(
  fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: -1, max: 40 }) },
    { weight: 1, arbitrary: fc.constantFrom(90, 400) },
  ),
  { nil: null, freq: 2 },
)

/** A random request to create an agreement of this type. */
export const created = (type: AgreementType): fc.Arbitrary<Operation> =>
  fc.record({
    do: fc.constant('create' as const),
    type: fc.constant(type),
    terms: termsOf(type),
    debtor: fc.oneof(
      { weight: 10, arbitrary: fc.constantFrom('approve', 'grace', 'insufficient', 'investigate', 'late') },
      { weight: 1, arbitrary: fc.constantFrom('decline', 'pause', 'unknown', 'unreachable') },
    ),
    startIn: seldom(fc.constantFrom(-1, 0, 1, 3, 10)),
    endIn,
    max: fc.oneof({ weight: 9, arbitrary: maxOf(type) }, { weight: 1, arbitrary: max }),
    answerIn,
  })
