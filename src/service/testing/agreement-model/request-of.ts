import type { Operation, WishedAmendment, WishedTerms } from './operation.ts'
import { dayAt, toText } from './sydney-calendar.ts'
import type { Day } from './sydney-calendar.ts'

const inUnits = (cents: number): string => (cents / 100).toFixed(2)
const day = (today: Day, days: number): string => toText(today + days)

/** Body of `POST /agreements`, with its days counted from the day of `now` (ms since 1970). */
export function creationOf(overrides: Extract<Operation, { do: 'create' }>, now: number): object {
  const today = dayAt(now)
  const { startIn, endIn } = overrides
  const start = today + (startIn ?? 0)
  return {
    type: overrides.type,
    description: 'Model',
    purpose: 'other',
    debtor: {
      name: 'Grace Hopper',
      type: 'person',
      pay_id: { type: 'EMAIL', value: `${overrides.debtor}@sandbox.example` },
    },
    creditor: { name: 'Acme', account: { bsb: '802-985', account_number: '123456789' } },
    ...(startIn !== null && { start_date: toText(start) }),
    ...asked(overrides, now),
    payment_terms: termsOf(overrides.terms, start, endIn === null ? today : today + endIn),
  }
}

/** Body of `PATCH /agreements/{id}`; `end`: the last day that the agreement has before it. */
export function amendmentOf(overrides: WishedAmendment, end: Day | null, now: number): object {
  const today = dayAt(now)
  const { terms, endIn } = overrides
  const last = endIn === null ? (end ?? today) : today + endIn
  return { ...asked(overrides, now), ...(terms !== null && { payment_terms: termsOf(terms, today, last) }) }
}

function asked({ endIn, max, answerIn }: Omit<WishedAmendment, 'terms'>, now: number): object {
  return {
    ...(endIn !== null && { end_date: day(dayAt(now), endIn) }),
    ...(max !== null && { max_number_of_payments: max }),
    ...(answerIn !== null && { response_required_by: new Date(now + answerIn).toISOString() }),
  }
}

/** `end`: the day from which a last payment is counted back. */
function termsOf({ isFixed, cents, first, last, ...overrides }: WishedTerms, start: Day, end: Day): object {
  const { frequency, count, point } = overrides
  return {
    amount_type: isFixed ? 'fixed' : 'variable',
    [isFixed ? 'amount' : 'maximum_amount']: inUnits(cents),
    ...(frequency !== null && { frequency }),
    ...(count !== null && { count_per_period: count }),
    ...(point !== null && { point_in_period: point }),
    ...(first !== null && { first_payment: { date: day(start, first.in), amount: inUnits(first.cents) } }),
    ...(last !== null && { last_payment: { date: day(end, -last.before), amount: inUnits(last.cents) } }),
  }
}

export function paymentOf({ cents, isLast }: Extract<Operation, { do: 'pay' }>, reference: string): object {
  return { amount: inUnits(cents), reference, ...(isLast && { last_payment: true }) }
}
