import * as v from 'valibot'
import { Amount } from '../../../../contract/api/fields/amount.ts'
import type { Cents } from '../../../../contract/api/fields/amount.ts'
import type { Agreement } from '../agreement.ts'
import type { Terms } from '../terms.ts'

/** An amount of a test, such as `10.00`, in cents. */
export const cents = (amount: string): Cents => v.parse(Amount, amount)

const MADE_AT = new Date('2026-11-22T01:00:00.000Z')

/** Terms of a test: 10.00 each, when it falls due. */
export function madeTerms(overrides: Partial<Terms> = {}): Terms {
  return {
    amountType: 'fixed',
    amount: cents('10.00'),
    maximumAmount: null,
    frequency: null,
    countPerPeriod: null,
    pointInPeriod: null,
    firstPayment: null,
    lastPayment: null,
    ...overrides,
  }
}

/** An agreement of a test: adhoc, active from its first day, without an end. */
export function madeAgreement(overrides: Partial<Agreement> = {}): Agreement {
  return {
    id: '6b0179918a1c5e0b3d2f4a60',
    merchantId: '6b0179918a1c5e0b3d2f4a61',
    type: 'adhoc',
    status: 'active',
    version: 0,
    revision: 0,
    description: 'Gym membership',
    shortDescription: null,
    purpose: 'other',
    startDate: '2026-11-22',
    endDate: null,
    debtor: { name: 'Grace Hopper', type: 'person', pay_id: { type: 'EMAIL', value: 'g••••@example.com' } },
    creditor: { name: 'Acme Gym', account: { bsb: '802985', account_number: '••••••001' } },
    terms: madeTerms(),
    maxPayments: null,
    responseRequiredBy: new Date('2026-11-27T01:00:00.000Z'),
    pendingAmendment: null,
    suspendedBy: null,
    reason: null,
    reference: null,
    metadata: {},
    nextDueOn: null,
    dueDaysDoneUntil: null,
    createdAt: MADE_AT,
    updatedAt: MADE_AT,
    ...overrides,
  }
}
