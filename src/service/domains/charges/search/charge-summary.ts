import type { ChargeSummary } from '../../../../contract/dashboard/payments/charge-list.ts'
import { toAmount } from '../../../platform/money.ts'
import { refundedOf, saleOf, takenOf } from '../charge.ts'
import { refusalOf } from '../refusal.ts'
import type { ListedCharge } from './listed-charges.ts'

/** A charge → a row of the dashboard's list. */
export function toChargeSummary({ charge, holdEndsAt }: ListedCharge): ChargeSummary {
  const { customer, paymentSource } = charge
  const refusal = refusalOf(saleOf(charge))
  return {
    id: charge.id,
    created_at: charge.createdAt.toISOString(),
    status: charge.status,
    amount: toAmount(charge.amount),
    currency: charge.currency,
    captured_amount: toAmount(takenOf(charge)),
    refunded_amount: toAmount(refundedOf(charge)),
    reference: charge.reference,
    description: charge.description,
    customer_name: [customer.first_name, customer.last_name].filter(Boolean).join(' ') || null,
    customer_email: customer.email ?? null,
    card_scheme: paymentSource.card_scheme,
    card_last4: paymentSource.card_number_last4,
    gateway_id: charge.gatewayId,
    gateway_name: paymentSource.gateway_name,
    hold_ends_at: holdEndsAt?.toISOString() ?? null,
    is_outcome_open: charge.openAttemptId !== null,
    error_code: refusal?.code ?? null,
    error_message: refusal?.message ?? null,
  }
}
