import type { ChargeResource, PaymentSourceResource } from '../../../contract/api/charges/charge-resource.ts'
import { withServiceNames } from '../../../contract/api/fields/postal-address.ts'
import { toAmount } from '../../platform/money.ts'
import { isExpired, refundedOf, saleOf } from './charge.ts'
import type { Attempt, Charge } from './charge.ts'
import { refusalOf } from './refusal.ts'

type Transaction = ChargeResource['transactions'][number]
type StatusWords = Pick<
  Transaction,
  'error_message' | 'error_code' | 'status_code' | 'status_code_description'
>

/** A charge → its wire form (contract §4.1). What follows from other facts is worked out here, not stored. */
export function toChargeResource(charge: Charge): ChargeResource {
  const settledFollowUps = charge.attempts.filter(
    ({ type, outcome }) => type !== 'sale' && outcome === 'approved',
  )
  return {
    _id: charge.id,
    type: 'financial',
    status: charge.status,
    capture: isCaptured(charge),
    authorization: charge.preAuth,
    archived: false,
    one_off: true,
    amount: toAmount(charge.amount),
    currency: charge.currency,
    reference: charge.reference,
    description: charge.description,
    items: [],
    transfer: { items: [] },
    schedule: { stopped: false },
    statistics: {
      total_refunded_amount: toAmount(refundedOf(charge)),
      full_refund: charge.status === 'refunded',
      need_sync: false,
    },
    customer: { ...charge.customer, payment_source: toPaymentSourceResource(charge) },
    transactions: charge.attempts.map((attempt) => toTransaction(charge, attempt)),
    company_id: charge.merchantId,
    amount_surcharge: null,
    amount_original: null,
    external_id: saleOf(charge).externalId,
    _source_ip_address: charge.sourceIp,
    created_at: charge.createdAt.toISOString(),
    updated_at: charge.updatedAt.toISOString(),
    __v: settledFollowUps.length,
  }
}

/** The wire form has one set of address names. The gateway keeps no card, so it knows the card by its own id of the sale. */
function toPaymentSourceResource(charge: Charge): PaymentSourceResource {
  return { ...withServiceNames(charge.paymentSource), ref_token: saleOf(charge).externalId }
}

function isCaptured({ status }: Charge): boolean {
  return status === 'complete' || status === 'refunded'
}

function toTransaction(charge: Charge, attempt: Attempt): Transaction {
  return {
    _id: attempt.id,
    type: attempt.type,
    status: transactionStatus(charge, attempt),
    amount: toAmount(attempt.amount),
    currency: charge.currency,
    amount_fee: null,
    amount_surcharge: null,
    amount_original: null,
    gateway_specific_code: attempt.gatewayCode,
    gateway_specific_description: attempt.gatewayDescription,
    ...statusWords(charge, attempt),
    ...(charge.status === 'cancelled' ? {} : { include_authorization: charge.preAuth && isCaptured(charge) }),
    ...(attempt.type === 'cancel' ? {} : { _source_ip_address: attempt.sourceIp }),
    external_id: attempt.externalId,
    external_reference: attempt.externalReference,
    created_at: attempt.createdAt.toISOString(),
    ...pendedAt(charge, attempt),
  }
}

/** A sale follows its charge; another attempt ends by itself. */
function transactionStatus(charge: Charge, { type, outcome, reason }: Attempt): Transaction['status'] {
  if (outcome === 'open') return 'pending'
  if (outcome !== 'approved')
    return reason !== null && isExpired(charge) && outcome === 'declined' ? 'complete' : 'failed'
  if (type !== 'sale' || isCaptured(charge)) return 'complete'
  return charge.status === 'cancelled' ? 'cancelled' : 'pending'
}

function statusWords(charge: Charge, attempt: Attempt): StatusWords {
  const refusal = refusalOf(attempt)
  const isOver = isExpired(charge) && (attempt.type === 'sale' || attempt.reason !== null)
  if (isOver) {
    return {
      error_message: null,
      error_code: null,
      status_code: 'authorisation_expired',
      status_code_description: 'The hold was not captured in its time and was released.',
    }
  }
  return {
    error_message: refusal?.message ?? null,
    error_code: refusal?.code ?? null,
    status_code: refusal?.code ?? null,
    status_code_description: refusal?.message ?? null,
  }
}

/** Only an authorised sale was ever pended. */
function pendedAt(charge: Charge, { type, outcome, settledAt }: Attempt): Pick<Transaction, 'pended_at'> {
  const isHeld = type === 'sale' && outcome === 'approved' && charge.preAuth && settledAt !== null
  return isHeld ? { pended_at: settledAt.toISOString() } : {}
}
