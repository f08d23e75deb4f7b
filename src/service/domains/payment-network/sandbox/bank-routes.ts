import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { SandboxBankAgreement, SandboxBankAnswer } from '../../../../contract/api/agreements/sandbox-bank.ts'
import { Identifier } from '../../../../contract/api/fields/identifier.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { answer } from '../../../platform/http/answers/answer.ts'
import type { DescribedResource, Operation } from '../../../platform/http/operation.ts'
import { decode, decodeBody } from '../../../platform/http/requests/decode.ts'
import { toAmount } from '../../../platform/money.ts'
import { answerAsPayer } from './bank.ts'
import type { BankDeps } from './bank.ts'
import { findMandate } from './mandate-store.ts'
import type { Mandate, Offer } from './mandate.ts'
import type { Ledger, LedgerEntry } from './payment-ledger.ts'

const IdParams = v.object({ id: Identifier })

const MAX_PAYMENTS = 20

/** The routes of the payer's bank page in the demo shop, in the sandbox alone (contract §6.8). */
export function addBankRoutes(app: FastifyInstance, deps: BankDeps, ledger: Ledger): void {
  const config = (operation: Operation) => ({
    config: { resourceType: 'sandbox_bank_agreement', operation },
  })
  const resourceOf = async (mandate: Mandate) =>
    toBankResource(mandate, await ledger.paymentsOf(mandate.id, MAX_PAYMENTS))

  app.get('/sandbox/bank/agreements/:id', config(operations.read), async (request, reply) => {
    const { id } = decode(IdParams, request.params)
    const mandate = await findMandate(deps.database, id)
    if (mandate === null) throw notAtBank()
    return answer(reply, 200, 'sandbox_bank_agreement', await resourceOf(mandate))
  })

  const answering = { ...config(operations.answer), bodyLimit: 1024 }
  app.post('/sandbox/bank/agreements/:id/answers', answering, async (request, reply) => {
    const { id } = decode(IdParams, request.params)
    const { answer: given } = decodeBody(SandboxBankAnswer, request.body)
    const decision = await answerAsPayer(deps, id, given)
    if (decision === null) throw notAtBank()
    if (decision.mandate === null) throw new ServiceError('unfulfilled_condition', decision.refusal)
    return answer(reply, 200, 'sandbox_bank_agreement', await resourceOf(decision.mandate))
  })
}

function notAtBank(): ServiceError {
  return new ServiceError('not_found', "The payer's bank has no agreement with this id, or not yet.")
}

/** A mandate with its last payments → what its payer reads. */
function toBankResource(mandate: Mandate, payments: readonly LedgerEntry[]): SandboxBankAgreement {
  const { pendingAmendment } = mandate
  return {
    _id: mandate.id,
    status: mandate.status,
    suspended_by: mandate.suspendedBy,
    type: mandate.type,
    purpose: mandate.purpose,
    creditor: { name: mandate.creditorName },
    debtor: { name: mandate.debtorName },
    ...toOfferResource(mandate.offer),
    pending_amendment: pendingAmendment === null ? null : toOfferResource(pendingAmendment.offer),
    payments: payments.map(toPaymentResource),
    created_at: mandate.createdAt.toISOString(),
  }
}

function toOfferResource(offer: Offer) {
  return {
    description: offer.description,
    payment_terms: offer.terms,
    start_date: offer.startDate,
    end_date: offer.endDate,
    max_number_of_payments: offer.maxPayments,
    response_required_by: offer.answerBy,
  }
}

function toPaymentResource(entry: LedgerEntry): SandboxBankAgreement['payments'][number] {
  const { amount, reference, description, outcome, createdAt } = entry
  return {
    amount: toAmount(amount),
    reference,
    description,
    status: outcome.kind,
    failure: outcome.kind === 'failed' ? outcome.code : null,
    created_at: createdAt.toISOString(),
  }
}

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
  params: { schema: IdParams, words: { id: 'The `_id` of an agreement.' } },
} as const

const operations = {
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
