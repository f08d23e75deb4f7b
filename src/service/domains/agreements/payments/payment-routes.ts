import type { FastifyInstance } from 'fastify'
import { AgreementPaymentRequest } from '../../../../contract/api/agreements/agreement-request.ts'
import { answer } from '../../../platform/http/answers/answer.ts'
import type { Authorize } from '../../../platform/http/callers/access-token.ts'
import type { Operation } from '../../../platform/http/operation.ts'
import { decode, decodeBody } from '../../../platform/http/requests/decode.ts'
import { idempotentRequestOf } from '../../../platform/idempotency.ts'
import { pageOf, toFilter } from '../../../platform/listing/page-query.ts'
import { paymentOperations, PaymentParams, PaymentsQuery } from './payment-operations.ts'
import { toPaymentResource } from './payment-resource.ts'
import type { Payments } from './payments.ts'

interface Parts {
  payments: Payments
  authorize: Authorize
}

/** The routes of payments (contract §6.5). */
export function addPaymentRoutes(app: FastifyInstance, { payments, authorize }: Parts): void {
  const config = (operation: Operation) => ({ config: { resourceType: 'payment', operation } })

  app.post('/agreements/:id/payments', config(paymentOperations.accept), async (request, reply) => {
    const { merchantId } = await authorize(request, 'payments:write')
    const { payment, isReplay } = await payments.accept({
      merchantId,
      agreementId: decode(PaymentParams, request.params).id,
      request: decodeBody(AgreementPaymentRequest, request.body),
      idempotentRequest: idempotentRequestOf(request, merchantId),
    })
    if (isReplay) void reply.header('idempotent-replayed', 'true')
    return answer(reply, 201, 'payment', toPaymentResource(payment))
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
