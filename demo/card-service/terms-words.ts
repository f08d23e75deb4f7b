import { inDollars } from '../orders/money.ts'
import { dayInWords } from './day-words.ts'
import type { Terms } from './agreement.ts'

/** One period of each frequency. */
const PERIODS: Record<string, string> = {
  daily: 'day',
  weekly: 'week',
  fortnightly: 'fortnight',
  monthly: 'month',
  quarterly: 'quarter',
  half_yearly: 'half year',
  yearly: 'year',
}
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** What a payer is asked to pay, in words; null where there is nothing to say. */
export interface TermsInWords {
  amount: string
  often: string
  first: string | null
  last: string | null
}

/** Terms as a payer reads them. `max` is the maximum number of payments of an agreement that has no frequency. */
export function termsInWords(terms: Terms, type: string, max: number | null = null): TermsInWords {
  const { first_payment: first, last_payment: last } = terms
  return {
    amount: amountOf(terms),
    often: terms.frequency === null ? withoutFrequency(type, max) : oftenOf(terms, terms.frequency),
    first: first && `${inDollars(first.amount)} on ${dayInWords(first.date)}`,
    last: last && `${inDollars(last.amount)} on ${dayInWords(last.date)}`,
  }
}

function amountOf({ amount, maximum_amount: maximum }: Terms): string {
  if (amount !== null) return `${inDollars(amount)} each time`
  return maximum === null
    ? 'Not fixed'
    : `It changes from time to time: never more than ${inDollars(maximum)}`
}

function withoutFrequency(type: string, max: number | null): string {
  if (type === 'oneoff') return 'Once'
  return max === null
    ? 'Whenever a payment falls due'
    : `Whenever a payment falls due, ${timesOf(max).toLowerCase()} at most`
}

function oftenOf({ point_in_period: point, count_per_period: count }: Terms, frequency: string): string {
  const period = PERIODS[frequency] ?? frequency
  if (point !== null) return `Once every ${period}${pointOf(frequency, period, point)}`
  return `${timesOf(count ?? 1)} a ${period} at most`
}

function timesOf(count: number): string {
  return ['', 'Once', 'Twice'][count] ?? `${String(count)} times`
}

function pointOf(frequency: string, period: string, point: number): string {
  if (frequency === 'daily') return ''
  if (frequency === 'weekly') return `, on ${WEEKDAYS[point - 1] ?? `day ${String(point)}`}`
  if (frequency === 'monthly') return `, on the ${ordinal(point)}`
  return `, on the ${ordinal(point)} day of the ${period}`
}

const rules = new Intl.PluralRules('en-AU', { type: 'ordinal' })
const ENDINGS: Record<string, string> = { one: 'st', two: 'nd', few: 'rd' }
const ordinal = (count: number): string => `${String(count)}${ENDINGS[rules.select(count)] ?? 'th'}`
