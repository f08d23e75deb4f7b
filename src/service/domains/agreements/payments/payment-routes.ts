import type { FastifyInstance } from 'fastify'
import { AgreementPaymentRequest } from '../../../../contract/api/agreement-request.ts'
import { answer } from '../../../platform/http/answers/answer.ts'
import type { Authorize } from '../../../platform/http/callers/access-token.ts'
import type { Operation } from '../../../platform/http/operation.ts'
import { decode } from '../../../platform/http/requests/decode.ts'
import type { AnswerOnce } from '../../../platform/idempotency/answer-once.ts'
import { pageOf, toFilter } from '../../../platform/listing/page-query.ts'
import { paymentOperations, PaymentParams, PaymentsQuery } from './payment-operations.ts'
import { toPaymentResource } from './payment-resource.ts'
import type { Payments } from './payments.ts'

interface Parts {
  payments: Payments
  authorize: Authorize
  answerOnce: AnswerOnce
}

/** The routes of payments (contract §6.5). */
export function addPaymentRoutes(app: FastifyInstance, { payments, authorize, answerOnce }: Parts): void {
  const config = (operation: Operation) => ({ config: { resourceType: 'payment', operation } })

  app.post('/agreements/:id/payments', config(paymentOperations.accept), async (request, reply) => {
    const { merchantId } = await authorize(request, 'payments:write')
    const { id } = decode(PaymentParams, request.params)
    const body = decode(AgreementPaymentRequest, request.body)
    return answerOnce({ request, reply, merchantId }, async () => {
      const data = toPaymentResource(await payments.accept(merchantId, id, body))
      return { status: 201, type: 'payment', data }
    })
  })

  app.get('/agreements/:id/payments', config(paymentOperations.list), async (request, reply) => {
    const { merchantId } = await authorize(request, 'payments:read')
    const { id } = decode(PaymentParams, request.params)
    const filter = toFilter(decode(PaymentsQuery, request.query))
    const { shown, next } = await pageOf(filter, (page) => payments.list(merchantId, id, page))
    return answer(reply, 200, 'payment', shown.map(toPaymentResource), next)
  })

  app.get('/payments/:id', config(paymentOperations.get), async (request, reply) => {
    const { merchantId } = await authorize(request, 'payments:read')
    const { id } = decode(PaymentParams, request.params)
    return answer(reply, 200, 'payment', toPaymentResource(await payments.get(merchantId, id)))
  })
}
