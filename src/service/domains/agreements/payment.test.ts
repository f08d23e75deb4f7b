import { describe, expect, it } from 'vitest'
import { paymentAt, paymentRefusalOf } from './payment.ts'
import type { Payable, Payment, ProposedPayment, PaymentCounts } from './payment.ts'
import { cents, madeAgreement, madeTerms } from './testing/made-agreement.ts'

const at = (minute: number) => new Date(`2026-11-25T01:0${String(minute)}:00Z`)
const failed: Payment = {
  id: '6b017a0c84f819f4cecbe1b2',
  agreementId: '6b01799184f819f4cecbe1a7',
  merchantId: '6b01799184f819f4cecbe1a8',
  agreementVersion: 0,
  status: 'failed',
  amount: cents('10.00'),
  reference: 'r',
  description: null,
  isLast: false,
  dueOn: null,
  countsOn: '2026-11-25',
  failure: { code: 'refused', message: 'No.' },
  networkReference: 'n-1',
  createdAt: at(0),
  sentAt: at(1),
  investigatedAt: at(2),
  endedAt: at(3),
  updatedAt: at(3),
}
const begun = { failure: null, networkReference: null, investigatedAt: null, endedAt: null }

describe('a payment as it was right after an event', () => {
  it.each([
    ['payment.received', { ...begun, status: 'received', sentAt: null, updatedAt: at(0) }],
    ['payment.processing', { ...begun, status: 'processing', updatedAt: at(1) }],
    [
      'payment.under_investigation',
      { status: 'under_investigation', failure: null, endedAt: null, updatedAt: at(2) },
    ],
    ['payment.failed', {}],
  ])('%s', (type, changes) => {
    expect(paymentAt(failed, type)).toEqual({ ...failed, ...changes })
  })
})

const NONE: PaymentCounts = { count: 0, inPeriod: 0, hasLast: false }
const dated = { startDate: '2026-11-01', endDate: '2027-01-31' }
const monthly = (terms: Parameters<typeof madeTerms>[0] = {}, dates: Partial<Payable> = {}): Payable =>
  madeAgreement({
    type: 'recurring',
    startDate: '2026-11-01',
    terms: madeTerms({ frequency: 'monthly', countPerPeriod: 2, ...terms }),
    ...dates,
  })
const onThe15th = (terms: Parameters<typeof madeTerms>[0] = {}) =>
  monthly({ countPerPeriod: null, pointInPeriod: 15, ...terms }, dated)
const FIRST = { date: '2026-11-10', amount: cents('5.00') }
const LAST = { date: '2027-01-28', amount: cents('3.00') }

type Row = [string, Payable, Partial<ProposedPayment>, Partial<PaymentCounts>, string | null]

const rows: Row[] = [
  ['an active agreement', madeAgreement(), {}, {}, null],
  ['one that is not answered', madeAgreement({ status: 'created' }), {}, {}, 'is created'],
  ['one that is suspended', madeAgreement({ status: 'suspended' }), {}, {}, 'is suspended'],
  ['one that is cancelled', madeAgreement({ status: 'cancelled' }), {}, {}, 'is cancelled'],
  ['one that is expired', madeAgreement({ status: 'expired' }), {}, {}, 'is expired'],
  ['the day before the start', monthly({}, dated), { day: '2026-10-31' }, {}, 'start_date'],
  ['the day of the start', monthly({}, dated), { day: '2026-11-01' }, {}, null],
  ['the day of the end', monthly({}, dated), { day: '2027-01-31' }, {}, null],
  ['the day after the end', monthly({}, dated), { day: '2027-02-01' }, {}, 'end_date'],
  [
    'another amount than the fixed one',
    madeAgreement(),
    { amount: cents('9.99') },
    {},
    'must be 10.00 (payment',
  ],
  [
    'the maximum',
    monthly({ amountType: 'variable', amount: null, maximumAmount: cents('10.00') }),
    {},
    {},
    null,
  ],
  [
    'more than the maximum',
    monthly({ amountType: 'usage', amount: null, maximumAmount: cents('9.99') }),
    {},
    {},
    '9.99 at most (maximum_amount)',
  ],
  ['the payment of a oneoff', madeAgreement({ type: 'oneoff' }), { isLast: true }, {}, null],
  [
    'a second payment of a oneoff',
    madeAgreement({ type: 'oneoff' }),
    { isLast: true },
    { count: 1 },
    'oneoff',
  ],
  ['the last of three', madeAgreement({ maxPayments: 3 }), {}, { count: 2 }, null],
  ['a fourth of three', madeAgreement({ maxPayments: 3 }), {}, { count: 3 }, 'max_number_of_payments'],
  ['a second of two in a month', monthly(), {}, { inPeriod: 1 }, null],
  [
    'a third of two in a month',
    monthly(),
    {},
    { inPeriod: 2 },
    '2 payments from 2026-11-01 to 2026-11-30 (count',
  ],
  ['a payment after the last', monthly(), {}, { count: 1, hasLast: true }, 'last_payment'],
  [
    'before the day of the period',
    onThe15th(),
    { day: '2026-12-14' },
    { count: 1 },
    'due on 2026-12-15 (point',
  ],
  ['on the day of the period', onThe15th(), { day: '2026-12-15' }, { count: 1 }, null],
  ['after the day of the period', onThe15th(), { day: '2026-12-31' }, { count: 1 }, null],
  [
    'a second after the day',
    onThe15th(),
    { day: '2026-12-20' },
    { inPeriod: 1 },
    'one payment from 2026-12-01',
  ],
  [
    'in a period whose day was before the start',
    { ...onThe15th(), startDate: '2026-11-20' },
    { day: '2026-11-25' },
    {},
    null,
  ],
  [
    'before the first payment',
    onThe15th({ firstPayment: FIRST }),
    { day: '2026-11-09' },
    {},
    'first_payment.date',
  ],
  [
    'another amount than that of the first payment',
    onThe15th({ firstPayment: FIRST }),
    { day: '2026-11-10' },
    {},
    '5.00 (first_payment)',
  ],
  [
    'the first payment',
    onThe15th({ firstPayment: FIRST }),
    { day: '2026-11-10', amount: FIRST.amount },
    {},
    null,
  ],
  [
    'the first payment, later, as the one before it has failed',
    onThe15th({ firstPayment: FIRST }),
    { day: '2026-12-15', amount: FIRST.amount },
    {},
    null,
  ],
  ['the second payment', onThe15th({ firstPayment: FIRST }), { day: '2026-12-15' }, { count: 1 }, null],
  [
    'before the day of the last payment in its period',
    onThe15th({ lastPayment: LAST }),
    { day: '2027-01-15' },
    {},
    'due on 2027-01-28',
  ],
  [
    'another amount than that of the last payment',
    onThe15th({ lastPayment: LAST }),
    { day: '2027-01-28', isLast: true },
    { count: 2 },
    '3.00 (last_payment)',
  ],
  [
    'the last payment',
    onThe15th({ lastPayment: LAST }),
    { day: '2027-01-28', isLast: true, amount: LAST.amount },
    { count: 2 },
    null,
  ],
]

describe('a payment is refused in words that name the term', () => {
  it.each(rows)('%s', (_, agreement, overrides, tally, words) => {
    const refusal = paymentRefusalOf(
      agreement,
      { amount: cents('10.00'), day: '2026-11-22', isLast: false, ...overrides },
      { ...NONE, ...tally },
    )
    if (words === null) expect(refusal).toBeNull()
    else expect(refusal?.message).toContain(words)
    const code = agreement.status === 'active' ? 'outside_terms' : 'unfulfilled_condition'
    if (refusal !== null) expect(refusal.code).toBe(code)
  })
})
