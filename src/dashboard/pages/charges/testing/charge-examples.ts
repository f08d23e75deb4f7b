import type { ChargeResource } from '../../../../contract/api/charges/charge-resource.ts'
import type { ChargeSummary } from '../../../../contract/dashboard/payments/charge-list.ts'
import type { ChargeTimeline } from '../../../../contract/dashboard/payments/charge-timeline.ts'
import { MERCHANT } from '../../../testing/open-dashboard.ts'

export const CHARGE_ID = '6b01799184f819f4cecbe1c1'
const SALE_ID = '6b01799184f819f4cecbe1c2'
const MADE_AT = '2026-11-21T09:00:00.000Z'

/** A row of the list: a hold of 10.00. */
export function summary(change: Partial<ChargeSummary> = {}): ChargeSummary {
  return {
    id: CHARGE_ID,
    created_at: MADE_AT,
    status: 'pending',
    amount: 10,
    currency: 'AUD',
    captured_amount: 0,
    refunded_amount: 0,
    disputed_amount: 0,
    reference: 'order-1',
    description: null,
    customer_name: 'Ada Lovelace',
    customer_email: null,
    card_scheme: 'visa',
    card_last4: '0026',
    gateway_id: '6b01799184f819f4cecbe1c3',
    gateway_name: 'Sandbox',
    hold_ends_at: null,
    is_outcome_open: false,
    error_code: null,
    error_message: null,
    ...change,
  }
}

type Transaction = ChargeResource['transactions'][number]

function transaction(change: Partial<Transaction>): Transaction {
  return {
    _id: SALE_ID,
    type: 'sale',
    status: 'pending',
    amount: 10,
    currency: 'AUD',
    amount_fee: null,
    amount_surcharge: null,
    amount_original: null,
    gateway_specific_code: '00',
    gateway_specific_description: 'Approved',
    error_message: null,
    error_code: null,
    status_code: null,
    status_code_description: null,
    external_id: null,
    external_reference: null,
    created_at: MADE_AT,
    ...change,
  }
}

/** A hold of 10.00. */
export function heldCharge(change: Partial<ChargeResource> = {}): ChargeResource {
  return {
    _id: CHARGE_ID,
    type: 'financial',
    status: 'pending',
    capture: false,
    authorization: true,
    archived: false,
    one_off: true,
    amount: 10,
    currency: 'AUD',
    reference: 'order-1',
    description: null,
    statement_descriptor: null,
    metadata: {},
    items: [],
    transfer: { items: [] },
    schedule: { stopped: true },
    statistics: {
      total_refunded_amount: 0,
      full_refund: false,
      need_sync: false,
      total_disputed_amount: 0,
      total_charged_back_amount: 0,
    },
    customer: {
      first_name: 'Ada',
      last_name: 'Lovelace',
      payment_source: {
        type: 'card',
        gateway_id: '6b01799184f819f4cecbe1c3',
        gateway_name: 'Sandbox',
        gateway_type: 'Sandbox',
        ref_token: null,
        card_number_last4: '0026',
        card_number_bin: '401200',
        card_name: 'ADA LOVELACE',
        expire_month: 1,
        expire_year: 2039,
        card_scheme: 'visa',
        items: [],
      },
    },
    transactions: [transaction({})],
    company_id: MERCHANT.id,
    amount_surcharge: null,
    amount_original: null,
    external_id: null,
    _source_ip_address: null,
    created_at: MADE_AT,
    updated_at: MADE_AT,
    __v: 0,
    ...change,
  }
}

/** The same after `captured` was taken, of which `refunded` went back. */
export function capturedCharge(captured: number, refunded = 0): ChargeResource {
  const capture = transaction({ _id: 'f'.repeat(24), type: 'capture', status: 'complete', amount: captured })
  return heldCharge({
    status: 'complete',
    capture: true,
    statistics: {
      total_refunded_amount: refunded,
      full_refund: false,
      need_sync: false,
      total_disputed_amount: 0,
      total_charged_back_amount: 0,
    },
    transactions: [transaction({ status: 'complete' }), capture],
  })
}

type Attempt = ChargeTimeline['attempts'][number]

/** A time line of the hold and of later attempts, each given by what differs from the hold's facts. */
export function timeline(...more: Partial<Attempt>[]): ChargeTimeline {
  const sale: Attempt = {
    id: SALE_ID,
    type: 'sale',
    reverses: null,
    outcome: 'approved',
    amount: 10,
    currency: 'AUD',
    reference: null,
    actor: 'merchant',
    source_ip: '203.0.113.9',
    error_code: null,
    error_message: null,
    gateway_code: '00',
    gateway_description: 'Approved',
    external_id: null,
    external_reference: null,
    created_at: MADE_AT,
    settled_at: MADE_AT,
    authentication: null,
    webhooks: [],
  }
  const later = more.map((change, index) => ({ ...sale, id: String(index + 1).padStart(24, '0'), ...change }))
  return { charge_id: CHARGE_ID, created_at: MADE_AT, hold_ends_at: null, attempts: [sale, ...later] }
}
