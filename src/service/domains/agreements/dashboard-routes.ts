import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { PAYMENT_STATUSES } from '../../../contract/api/agreements/agreement-payment-resource.ts'
import { Identifier } from '../../../contract/api/fields/identifier.ts'
import type { ListedPayment } from '../../../contract/dashboard/payments/payment-list.ts'
import type { DashboardAccess } from '../../platform/domain.ts'
import { answer } from '../../platform/http/answers/answer.ts'
import { decode } from '../../platform/http/requests/decode.ts'
import { pageEntries, toFilter } from '../../platform/listing/page-query.ts'
import { toPaymentResource } from './payment-resource.ts'
import type { AgreementsDeps } from './deps.ts'
import { listMerchantPayments } from './payment-list.ts'
import type { PaymentWithAgreement } from './payment-list.ts'

const { limit, cursor, 'created_at.from': from, 'created_at.to': to } = pageEntries

const Query = v.strictObject({
  status: v.optional(v.picklist(PAYMENT_STATUSES, 'must be a state of payments')),
  agreement_id: v.optional(Identifier),
  'created_at.from': from,
  'created_at.to': to,
  limit,
  cursor,
})

/** Lists payments across agreements for the dashboard. */
export function addPaymentDashboardRoutes(
  app: FastifyInstance,
  deps: AgreementsDeps,
  { sessionOf }: DashboardAccess,
): void {
  app.get('/api/payments', { config: { permission: 'read' } }, async (request, reply) => {
    const { merchantId } = sessionOf(request)
    const { status = null, agreement_id: agreementId = null, ...page } = decode(Query, request.query)
    const filter = { ...toFilter({ ...page, skip: 0 }), status, agreementId }
    const { shown, next } = await listMerchantPayments(deps.database, merchantId, filter)
    return answer(reply, 200, 'payment', shown.map(toListedPayment), next)
  })
}

function toListedPayment(payment: PaymentWithAgreement): ListedPayment {
  return {
    ...toPaymentResource(payment),
    agreement_description: payment.agreementDescription,
    debtor_name: payment.debtorName,
  }
}
