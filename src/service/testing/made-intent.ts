import * as v from 'valibot'
import { Amount } from '../../contract/api/fields/amount.ts'
import type { Intent } from '../domains/checkouts/intent.ts'

const MADE_AT = new Date('2026-11-21T10:00:00.000Z')

/** An intent as a test of a rule wants it; by itself active, of 10.00, never tried. */
export function madeIntent(overrides: Partial<Intent> = {}): Intent {
  return {
    id: 'i1',
    merchantId: 'm1',
    workflowVersion: 1,
    status: 'active',
    amount: v.parse(Amount, '10.00'),
    currency: 'AUD',
    reference: null,
    description: null,
    statementDescriptor: null,
    metadata: {},
    returnUrl: null,
    customer: {},
    configuration: { templateId: null, revision: null, content: { capture: 'now' } },
    customisation: { templateId: null, revision: null, content: {} },
    chargeId: null,
    paymentSourceHash: null,
    tries: 0,
    journey: [],
    revision: 1,
    ageMs: 0,
    createdAt: MADE_AT,
    updatedAt: MADE_AT,
    expiresAt: MADE_AT,
    ...overrides,
  }
}
