import type {
  AgreementResource,
  PaymentTermsResource,
} from '../../../../contract/api/agreements/agreement-resource.ts'
import type { Frequency } from '../../../../contract/api/agreements/payment-terms.ts'
import { centsOf } from '../../../formats/cents.ts'
import type { Formats } from '../../../formats/formats.ts'

/** What is paid by an agreement, in words; null where there is nothing to say. */
export interface TermsWords {
  amount: string
  often: string
  /** Who makes the payments. */
  who: string
  first: string | null
  last: string | null
}

type Terms = PaymentTermsResource
/** The part of an agreement that says how often payments are made. */
type Agreement = Pick<AgreementResource, 'type' | 'max_number_of_payments'>

const PERIODS: Readonly<Record<Frequency, string>> = {
  daily: 'day',
  weekly: 'week',
  fortnightly: 'fortnight',
  monthly: 'month',
  quarterly: 'quarter',
  half_yearly: 'half year',
  yearly: 'year',
}
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
/** Agreements are in this one currency (contract §6.5). */
const CURRENCY = 'AUD'

/** Terms as a person reads them. */
export function termsWords(
  terms: Terms,
  agreement: Agreement,
  formats: Pick<Formats, 'money' | 'day'>,
): TermsWords {
  const money = (amount: number) => formats.money(centsOf(amount), CURRENCY)
  const onDay = (payment: Terms['first_payment']) =>
    payment && `${money(payment.amount)} on ${formats.day(payment.date)}`
  return {
    amount: amountWords(terms, money),
    often: terms.frequency === null ? withoutFrequency(agreement) : oftenWords(terms, terms.frequency),
    who:
      terms.point_in_period === null ? 'Your server sends each payment.' : 'The service collects by itself.',
    first: onDay(terms.first_payment),
    last: onDay(terms.last_payment),
  }
}

/** Terms in one line, for a list. */
export function termsLine(
  terms: Terms,
  agreement: Agreement,
  formats: Pick<Formats, 'money' | 'day'>,
): string {
  const { amount, often } = termsWords(terms, agreement, formats)
  return `${amount}, ${often.charAt(0).toLowerCase()}${often.slice(1)}`
}

function amountWords(
  { amount_type: type, amount, maximum_amount: max }: Terms,
  money: (amount: number) => string,
): string {
  if (amount !== null) return money(amount)
  const upTo = max === null ? '' : ` up to ${money(max)}`
  if (type === 'usage') return `By usage,${upTo}`
  return type === 'balance' ? `The balance owed,${upTo}` : `Varying,${upTo}`
}

function withoutFrequency({ type, max_number_of_payments: max }: Agreement): string {
  if (type === 'oneoff') return 'Once'
  const limit = max === null ? '' : `, ${String(max)} payments at most`
  return `Whenever a payment falls due${limit}`
}

function oftenWords(
  { point_in_period: point, count_per_period: count }: Terms,
  frequency: Frequency,
): string {
  const period = PERIODS[frequency]
  if (point !== null) return `Every ${period}${pointWords(frequency, point)}`
  const times = ['', 'Once', 'Twice'][count ?? 1] ?? `${String(count)} times`
  return `${times} a ${period} at most`
}

function pointWords(frequency: Frequency, point: number): string {
  if (frequency === 'daily') return ''
  if (frequency === 'weekly') return ` on ${WEEKDAYS[point - 1] ?? ''}`
  const day = ordinal(point)
  return frequency === 'monthly' ? ` on the ${day}` : ` on its ${day} day`
}

const rules = new Intl.PluralRules('en', { type: 'ordinal' })
const ENDINGS: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' }
const ordinal = (count: number) => `${String(count)}${ENDINGS[rules.select(count)] ?? 'th'}`
