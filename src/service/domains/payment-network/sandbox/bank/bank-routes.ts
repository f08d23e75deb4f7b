import type { FastifyInstance } from 'fastify'
import { SandboxBankAnswer } from '../../../../../contract/api/agreements/sandbox-bank.ts'
import { ServiceError } from '../../../../platform/errors.ts'
import { answer } from '../../../../platform/http/answers/answer.ts'
import { decode, decodeBody } from '../../../../platform/http/requests/decode.ts'
import type { Ledger } from '../ledger.ts'
import type { Mandate } from '../mandate.ts'
import type { Payer } from '../payer.ts'
import { BankParams, bankOperations } from './bank-operations.ts'
import { toBankResource } from './bank-resource.ts'

interface Parts {
  payer: Pick<Payer, 'mandateOf' | 'answer'>
  ledger: Pick<Ledger, 'paymentsOf'>
}

const MAX_PAYMENTS = 20

/** What the payer's bank page in the demo shop calls, in the sandbox alone (contract §6.8). */
export function addBankRoutes(app: FastifyInstance, { payer, ledger }: Parts): void {
  const config = (operation: (typeof bankOperations)['read' | 'answer']) => ({
    config: { resourceType: 'sandbox_bank_agreement', operation },
  })
  const resourceOf = async (mandate: Mandate) =>
    toBankResource(mandate, await ledger.paymentsOf(mandate.id, MAX_PAYMENTS))

  app.get('/sandbox/bank/agreements/:id', config(bankOperations.read), async (request, reply) => {
    const { id } = decode(BankParams, request.params)
    const mandate = await payer.mandateOf(id)
    if (mandate === null) throw notFound()
    return answer(reply, 200, 'sandbox_bank_agreement', await resourceOf(mandate))
  })

  const answering = { ...config(bankOperations.answer), bodyLimit: 1024 }
  app.post('/sandbox/bank/agreements/:id/answers', answering, async (request, reply) => {
    const { id } = decode(BankParams, request.params)
    const { answer: given } = decodeBody(SandboxBankAnswer, request.body)
    const decision = await payer.answer(id, given)
    if (decision === null) throw notFound()
    if (decision.mandate === null) throw new ServiceError('unfulfilled_condition', decision.refusal)
    return answer(reply, 200, 'sandbox_bank_agreement', await resourceOf(decision.mandate))
  })
}

function notFound(): ServiceError {
  return new ServiceError('not_found', "The payer's bank has no agreement with this id, or not yet.")
}
