import fc from 'fast-check'
import type { BankAnswer } from './model-bank.ts'
import type { AgreementType } from './model-terms.ts'
import type { JobName, Operation, Processes } from './operation.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './sydney-calendar.ts'
import { answerIn, created, endIn, maxOf, termsOf } from './random-terms.ts'

const JOBS = [
  'send instructions',
  'receive notices',
  'collect due payments',
  'send payments',
  'ask after payments',
  'end agreements',
] as const satisfies JobName[]

const processes = fc.constantFrom<Processes>('first', 'second', 'both')
const of = { agreement: fc.nat(1), isStale: fc.nat(14).map((one) => one === 0) }

const changes = (type: AgreementType): fc.WeightedArbitrary<Operation>[] => [
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('change status'),
      action: fc.constantFrom('suspend', 'suspend', 'release', 'release', 'cancel'),
      isReasoned: fc.nat(9).map((one) => one > 0),
      ...of,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('describe'), ...of }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('amend'),
      overrides: fc
        .record({
          terms: fc.option(termsOf(type), { nil: null, freq: 3 }),
          endIn,
          max: maxOf(type),
          answerIn,
        })
        .filter(({ terms, endIn: end, max: payments }) => (terms ?? end ?? payments) !== null),
      ...of,
    }),
  },
]

const doings = (type: AgreementType): fc.Arbitrary<Operation> =>
  fc.oneof(
    { weight: 1, arbitrary: created(type) },
    ...changes(type),
    {
      weight: 9,
      arbitrary: fc.record({
        do: fc.constant('pay'),
        agreement: fc.nat(1),
        cents: fc.constantFrom(1000, 1000, 1000, 2500, 2501, 500, 700, 0),
        isLast: fc.nat(7).map((one) => one === 0),
        processes,
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('answer'),
        agreement: fc.nat(1),
        answer: fc.constantFrom<BankAnswer>(
          'accept',
          'decline',
          'suspend',
          'suspend',
          'release',
          'release',
          'cancel',
          'accept_amendment',
          'accept_amendment',
          'decline_amendment',
        ),
      }),
    },
    {
      weight: 10,
      arbitrary: fc.record({ do: fc.constant('run'), job: fc.constantFrom(...JOBS), processes }),
    },
    { weight: 5, arbitrary: fc.record({ do: fc.constant('wait'), ms: times }) },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('wait until'), minutesAfterMidnight: fc.constantFrom(-1, 0) }),
    },
  )

/** How long time passes while no job runs, as if the service were down: from a minute to months. */
const times = fc.constantFrom(
  MINUTE_MS,
  HOUR_MS,
  DAY_MS,
  ...[3, 5, 6, 7, 31, 92].map((days) => days * DAY_MS),
)

/** Sends instructions to the network, and receives its notices. */
const exchange: Operation[] = [
  { do: 'run', job: 'send instructions', processes: 'first' },
  { do: 'run', job: 'receive notices', processes: 'second' },
]

/** Every job once, as a running service does them all the time. */
const allJobs = (on: Processes): Operation[] => JOBS.map((job) => ({ do: 'run', job, processes: on }))

const daysUp = fc
  .integer({ min: 1, max: 4 })
  .map((days) =>
    Array.from({ length: days }, (): Operation[] => [
      { do: 'wait until', minutesAfterMidnight: 0 },
      ...allJobs('first'),
    ]).flat(),
  )

/** Changes and payments of one agreement right after one another, before the network hears of the first of them. */
const crossing: fc.Arbitrary<Operation[]> = fc
  .tuple(
    fc.nat(1),
    fc.array(fc.constantFrom('suspend', 'release', 'pay'), { minLength: 3, maxLength: 7, size: 'max' }),
    fc.shuffledSubarray(['send instructions', 'send payments'] as const, { minLength: 1 }),
  )
  .map(([agreement, steps, sent]) => [
    ...steps.map((step): Operation => {
      if (step === 'pay') return { do: 'pay', agreement, cents: 1000, isLast: false, processes: 'first' }
      return { do: 'change status', action: step, isReasoned: true, agreement, isStale: false }
    }),
    ...sent.map((job): Operation => ({ do: 'run', job, processes: 'both' })),
  ])

const ofOneType = (type: AgreementType): fc.Arbitrary<Operation[]> =>
  fc
    .tuple(
      fc.array(created(type), { minLength: 1, maxLength: 2, size: 'max' }),
      fc.array(
        fc.oneof(
          { weight: 12, arbitrary: doings(type).map((one) => [one]) },
          { weight: 2, arbitrary: processes.map(allJobs) },
          { weight: 1, arbitrary: daysUp },
          { weight: 1, arbitrary: crossing },
        ),
        { minLength: 4, maxLength: 20, size: 'max' },
      ),
    )
    .map(([made, rest]) => [
      ...made,
      ...exchange,
      ...made.map((_, agreement): Operation => ({ do: 'answer', agreement, answer: 'accept' })),
      ...exchange,
      ...rest.flat(),
    ])

/** A time to begin at, in ms since 1970: shortly before summer time begins or ends, a leap day or a new year, or an ordinary day. */
export const beginning: fc.Arbitrary<number> = fc
  .tuple(
    fc.constantFrom('2027-04-02', '2027-10-01', '2028-02-27', '2027-12-30', '2027-06-10', '2028-03-31'),
    fc.nat(2 * 24 * 60),
  )
  .map(([day, minutes]) => Date.parse(`${day}T00:00:00Z`) + minutes * MINUTE_MS)

/** A random sequence of operations on one or two agreements of one type. */
export const operations: fc.Arbitrary<Operation[]> = fc
  .constantFrom<AgreementType>('oneoff', 'recurring', 'recurring', 'recurring', 'adhoc')
  .chain(ofOneType)
