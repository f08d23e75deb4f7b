import * as v from 'valibot'
import { Amount } from '../fields/amount.ts'
import { isRealDay } from '../fields/moment.ts'
import { onlyKnown } from '../fields/only-known.ts'

/** A calendar day such as `2026-11-22`. */
export const Day = v.pipe(
  v.string('must be a day such as 2026-11-22'),
  v.isoDate('must be a day such as 2026-11-22'),
  v.check(isRealDay, 'is no day of the calendar'),
)

export const FREQUENCIES = [
  'daily',
  'weekly',
  'fortnightly',
  'monthly',
  'quarterly',
  'half_yearly',
  'yearly',
] as const
export type Frequency = (typeof FREQUENCIES)[number]

/** The most days that a period can have: the bound of `point_in_period`. */
export const MAX_DAYS: Readonly<Record<Frequency, number>> = {
  daily: 1,
  weekly: 7,
  fortnightly: 14,
  monthly: 31,
  quarterly: 92,
  half_yearly: 184,
  yearly: 366,
}

const PaymentOnDay = v.strictObject({ date: Day, amount: Amount }, onlyKnown('date and amount'))

const wholeNumber = (min: number, max: number) => {
  const words = `must be a whole number from ${String(min)} to ${String(max)}`
  return v.pipe(v.number(words), v.integer(words), v.minValue(min, words), v.maxValue(max, words))
}

/** What is paid and how often (contract §6.3); amounts are parsed to cents. */
export const PaymentTerms = v.pipe(
  v.strictObject(
    {
      amount_type: v.picklist(
        ['fixed', 'variable', 'usage', 'balance'],
        'must be fixed, variable, usage or balance',
      ),
      amount: v.optional(Amount),
      maximum_amount: v.optional(Amount),
      frequency: v.optional(v.picklist(FREQUENCIES, `must be one of ${FREQUENCIES.join(', ')}`)),
      count_per_period: v.optional(wholeNumber(1, 100)),
      point_in_period: v.optional(wholeNumber(1, 366)),
      first_payment: v.optional(PaymentOnDay),
      last_payment: v.optional(PaymentOnDay),
    },
    onlyKnown(
      'amount_type, amount, maximum_amount, frequency, count_per_period, point_in_period, first_payment and last_payment',
    ),
  ),
  v.forward(
    v.check(
      ({ amount_type: type, amount }) => (type === 'fixed') === (amount !== undefined),
      'must be given when amount_type is fixed, and only then',
    ),
    ['amount'],
  ),
  v.forward(
    v.check(
      ({ amount_type: type, maximum_amount: max }) => (type === 'fixed') === (max === undefined),
      'must be given unless amount_type is fixed, and only then',
    ),
    ['maximum_amount'],
  ),
  v.forward(
    v.check(
      ({ count_per_period: count, point_in_period: point }) => count === undefined || point === undefined,
      'cannot stand beside point_in_period',
    ),
    ['count_per_period'],
  ),
  v.forward(
    v.check(
      ({ point_in_period: point, amount_type: type }) => point === undefined || type === 'fixed',
      'needs amount_type fixed',
    ),
    ['point_in_period'],
  ),
  v.forward(
    v.check(
      ({ point_in_period: point, frequency }) =>
        point === undefined || frequency === undefined || point <= MAX_DAYS[frequency],
      'is more days than such a period can have',
    ),
    ['point_in_period'],
  ),
)
export type PaymentTerms = v.InferOutput<typeof PaymentTerms>
