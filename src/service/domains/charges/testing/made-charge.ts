import * as v from 'valibot'
import { Amount } from '../../../../contract/api/fields/amount.ts'
import type { Cents } from '../../../../contract/api/fields/amount.ts'
import type { Attempt, Charge } from '../charge.ts'

export const cents = (amount: string): Cents => v.parse(Amount, amount)

const MADE_AT = new Date('2026-11-21T10:00:00.000Z')

/** An attempt as a test of a rule wants it; by itself the approved sale of 10.00. */
export function madeAttempt(overrides: Partial<Attempt> = {}): Attempt {
  return {
    id: 'a1',
    type: 'sale',
    reason: null,
    reverses: null,
    amount: cents('10.00'),
    reference: null,
    outcome: 'approved',
    declineReason: null,
    gatewayCode: '00',
    gatewayDescription: 'approved',
    externalId: 'x1',
    externalReference: null,
    authentication: null,
    userId: null,
    sourceIp: null,
    createdAt: MADE_AT,
    settledAt: MADE_AT,
    ...overrides,
  }
}

/** A charge as a test of a rule wants it; by itself a hold of 10.00. */
export function madeCharge(overrides: Partial<Charge> = {}): Charge {
  return {
    id: 'c1',
    merchantId: 'm1',
    gatewayId: 'g1',
    gatewayType: 'sandbox',
    tokenHash: Buffer.from('t1'),
    status: 'pending',
    preAuth: true,
    amount: cents('10.00'),
    currency: 'AUD',
    reference: null,
    description: null,
    statementDescriptor: null,
    metadata: {},
    edits: [],
    disputeSums: [],
    customer: {},
    paymentSource: {
      type: 'card',
      gateway_id: 'g1',
      gateway_name: 'Sandbox',
      gateway_type: 'sandbox',
      card_number_last4: '1118',
      card_number_bin: '51111111',
      card_name: 'Grace Hopper',
      expire_month: 12,
      expire_year: 2031,
      card_scheme: 'mastercard',
      items: [],
    },
    sourceIp: null,
    isHoldOver: false,
    ageMs: 0,
    openAttemptId: null,
    version: 1,
    createdAt: MADE_AT,
    updatedAt: MADE_AT,
    attempts: [madeAttempt()],
    ...overrides,
  }
}
