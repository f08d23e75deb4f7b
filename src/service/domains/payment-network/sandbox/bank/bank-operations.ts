import * as v from 'valibot'
import { Identifier } from '../../../../../contract/api/fields/identifier.ts'
import {
  SandboxBankAgreement,
  SandboxBankAnswer,
} from '../../../../../contract/api/agreements/sandbox-bank.ts'
import type { DescribedResource, Operation } from '../../../../platform/http/operation.ts'

export const BankParams = v.object({ id: Identifier })

const example: SandboxBankAgreement = {
  _id: '6b0179918a1c5e0b3d2f4a60',
  status: 'active',
  suspended_by: null,
  type: 'recurring',
  purpose: 'utility',
  creditor: { name: 'Acme Power' },
  debtor: { name: 'Grace Hopper' },
  description: 'Power and light',
  payment_terms: {
    amount_type: 'fixed',
    amount: 40,
    maximum_amount: null,
    frequency: 'monthly',
    count_per_period: null,
    point_in_period: 15,
    first_payment: null,
    last_payment: null,
  },
  start_date: '2026-11-22',
  end_date: null,
  max_number_of_payments: null,
  response_required_by: '2026-11-27T00:00:00.000Z',
  pending_amendment: null,
  payments: [
    {
      amount: 40,
      reference: 'Account 7',
      description: null,
      status: 'settled',
      failure: null,
      created_at: '2026-12-14T13:00:01.000Z',
    },
  ],
  created_at: '2026-11-22T00:00:00.000Z',
}
const agreement: DescribedResource = {
  name: 'SandboxBankAgreement',
  schema: SandboxBankAgreement,
  words: {
    status: "As the payer's bank has it; the service hears of it a moment later.",
    suspended_by: 'Who suspended it, and alone releases it.',
    pending_amendment: 'What the payer is asked to agree to in place of what stands.',
    payments: 'The 20 newest, by the ledger of the sandbox.',
  },
  example,
}

const one = {
  group: 'Sandbox bank',
  key: 'none',
  params: { schema: BankParams, words: { id: 'The `_id` of an agreement.' } },
} as const

/** The routes of the payer's bank as the OpenAPI document shows them. */
export const bankOperations = {
  read: {
    ...one,
    id: 'readAgreementAsPayer',
    summary: 'Read an agreement as its payer does',
    description: 'In the sandbox alone. No key: whoever has the id is the payer.',
    answers: [{ status: 200, words: 'The agreement in the bank.', resource: agreement }],
    errors: ['not_found'],
  },
  answer: {
    ...one,
    id: 'answerAgreementAsPayer',
    summary: 'Answer an agreement as its payer does',
    description:
      'In the sandbox alone. What is done already, or cannot be done as the agreement stands, is refused.',
    body: {
      schema: SandboxBankAnswer,
      words: { answer: 'accept and decline answer a new agreement.' },
      example: { answer: 'accept' },
    },
    answers: [{ status: 200, words: 'The agreement in the bank, after it.', resource: agreement }],
    errors: ['not_found', 'unfulfilled_condition'],
  },
} satisfies Record<string, Operation>
