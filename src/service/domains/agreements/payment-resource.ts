import type { AgreementPaymentResource } from '../../../contract/api/agreements/agreement-payment-resource.ts'
import { toAmount } from '../../platform/money.ts'
import type { Payment } from './payment.ts'

/** A payment → its wire form (contract §6.5). */
export function toPaymentResource(payment: Payment): AgreementPaymentResource {
  const { status, endedAt } = payment
  return {
    _id: payment.id,
    agreement_id: payment.agreementId,
    agreement_version: payment.agreementVersion,
    status,
    amount: toAmount(payment.amount),
    currency: 'AUD',
    reference: payment.reference,
    description: payment.description,
    last_payment: payment.isLast,
    due_on: payment.dueOn,
    failure: payment.failure,
    network_reference: payment.networkReference,
    created_at: payment.createdAt.toISOString(),
    updated_at: payment.updatedAt.toISOString(),
    settled_at: status === 'settled' && endedAt !== null ? endedAt.toISOString() : null,
  }
}
