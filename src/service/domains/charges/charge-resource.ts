import { ChargeResource } from '../../../contract/api/charges/charge-resource.ts'
import type { PaymentSourceResource } from '../../../contract/api/charges/charge-resource.ts'
import { withServiceNames } from '../../../contract/api/fields/postal-address.ts'
import type { ChargeSummary } from '../../../contract/dashboard/payments/charge-list.ts'
import type { DescribedResource } from '../../platform/http/operation.ts'
import { toAmount } from '../../platform/money.ts'
import type { ListedCharge } from './charge-store.ts'
import type { AuthenticationStatus } from '../../../contract/api/charges/authentication.ts'
import type { AuthenticationResult } from '../gateways/gateway.ts'
import { wordsOfReason } from './authentication.ts'
import {
  capturedOf,
  isDone,
  isExpired,
  isLiabilityShifted,
  isRelease,
  isTold,
  refundedOf,
  saleOf,
} from './charge.ts'
import type { Attempt, Charge } from './charge.ts'
import { chargeRefusalOf, laterRefusalOf } from './refusal.ts'

type Transaction = ChargeResource['transactions'][number]
type StatusWords = Pick<
  Transaction,
  'error_message' | 'error_code' | 'status_code' | 'status_code_description'
>

/** A charge → its wire form (contract §4.1). What follows from other facts is derived here, not stored. */
export function toChargeResource(charge: Charge): ChargeResource {
  const disputedNow = charge.disputeSums.at(-1)
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
    statement_descriptor: charge.statementDescriptor,
    metadata: { ...charge.metadata },
    items: [],
    transfer: { items: [] },
    schedule: { stopped: false },
    statistics: {
      total_refunded_amount: toAmount(refundedOf(charge)),
      full_refund: charge.status === 'refunded',
      need_sync: false,
      total_disputed_amount: toAmount(disputedNow?.disputed ?? 0),
      total_charged_back_amount: toAmount(disputedNow?.chargedBack ?? 0),
    },
    customer: { ...charge.customer, payment_source: toPaymentSourceResource(charge) },
    transactions: charge.attempts.flatMap((attempt) => [
      ...toAuthenticationTransaction(charge, attempt),
      toTransaction(charge, attempt),
    ]),
    ...toAuthentication(charge),
    company_id: charge.merchantId,
    amount_surcharge: null,
    amount_original: null,
    external_id: saleOf(charge).externalId,
    _source_ip_address: charge.sourceIp,
    created_at: charge.createdAt.toISOString(),
    updated_at: charge.updatedAt.toISOString(),
    __v: settledFollowUps.length + charge.edits.length,
  }
}

/** The ETag of a charge; each attempt, each outcome and each change of its words changes it. */
export function entityTagOf({ version, edits }: Pick<Charge, 'version' | 'edits'>): string {
  return `"${String(version)}.${String(edits.length)}"`
}

/** The wire form has one set of address names. The gateway keeps no card: it knows the card by its id of the sale. */
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
    ...(attempt.reverses !== null && { reverses: attempt.reverses }),
    ...(isTold(attempt.reason) && { origin: 'gateway' }),
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

/** The authentication of a sale, as its bank and the gateway know it. */
function toAuthentication(charge: Charge): Pick<ChargeResource, '_3ds'> {
  const sale = saleOf(charge)
  const { authentication } = sale
  if (authentication === null) return {}
  const { id, status, askedBy, expiresAt } = authentication
  const result = authentication.result ?? NOTHING_SAID
  return {
    _3ds: {
      id,
      expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
      status,
      asked_by: askedBy,
      version: result.version,
      flow: result.flow,
      trans_status: result.transStatus,
      trans_status_reason: result.transStatusReason === null ? null : wordsOfReason(result.transStatusReason),
      eci: result.eci,
      ds_trans_id: result.dsTransId,
      liability_shifted: isLiabilityShifted(charge, sale),
    },
  }
}

const NOTHING_SAID: AuthenticationResult = {
  version: null,
  flow: null,
  transStatus: null,
  transStatusReason: null,
  eci: null,
  dsTransId: null,
  isLiabilityShifted: null,
}

const AUTHENTICATION_FAILED: ReadonlySet<AuthenticationStatus> = new Set(['failed', 'cancelled', 'timed_out'])

/** It moves no money; its status is that of the authentication. */
function toAuthenticationTransaction(charge: Charge, sale: Attempt): Transaction[] {
  const { authentication } = sale
  if (authentication === null) return []
  const { id, status, askedAt, result } = authentication
  const hasFailed = AUTHENTICATION_FAILED.has(status)
  const refusal = hasFailed ? laterRefusalOf(charge, sale) : null
  return [
    {
      _id: id,
      type: '3ds',
      status: status === 'pending' ? 'pending' : hasFailed ? 'failed' : 'complete',
      amount: toAmount(sale.amount),
      currency: charge.currency,
      amount_fee: null,
      amount_surcharge: null,
      amount_original: null,
      gateway_specific_code: null,
      gateway_specific_description: null,
      ...wordsOf(refusal),
      external_id: result?.dsTransId ?? null,
      external_reference: null,
      created_at: new Date(askedAt ?? sale.createdAt).toISOString(),
    },
  ]
}

/** A sale's status follows its charge; that of other attempts follows their outcome. */
function transactionStatus(charge: Charge, attempt: Attempt): Transaction['status'] {
  const { type, outcome } = attempt
  if (outcome === 'open') return 'pending'
  if (outcome !== 'approved')
    return isRelease(attempt) && isExpired(charge) && outcome === 'declined' ? 'complete' : 'failed'
  if (!isDone(charge, attempt)) return 'failed'
  if (type !== 'sale' || isCaptured(charge)) return 'complete'
  if (charge.status === 'failed') return 'failed'
  return charge.status === 'cancelled' ? 'cancelled' : 'pending'
}

function statusWords(charge: Charge, attempt: Attempt): StatusWords {
  const refusal = laterRefusalOf(charge, attempt)
  const isOver = isExpired(charge) && (attempt.type === 'sale' || isRelease(attempt))
  if (isOver) {
    return {
      error_message: null,
      error_code: null,
      status_code: 'authorisation_expired',
      status_code_description: 'The hold was not captured in its time and was released.',
    }
  }
  return wordsOf(refusal)
}

function wordsOf(refusal: ReturnType<typeof laterRefusalOf>): StatusWords {
  const { code = null, message = null } = refusal ?? {}
  return { error_message: message, error_code: code, status_code: code, status_code_description: message }
}

/** Only the sale of a hold was ever pending. */
function pendedAt(charge: Charge, { type, outcome, settledAt }: Attempt): Pick<Transaction, 'pended_at'> {
  const isHeld = type === 'sale' && outcome === 'approved' && charge.preAuth && settledAt !== null
  return isHeld ? { pended_at: settledAt.toISOString() } : {}
}

/** A charge → a row of the dashboard's list. */
export function toChargeSummary({ charge, holdEndsAt }: ListedCharge): ChargeSummary {
  const { customer, paymentSource } = charge
  const refusal = chargeRefusalOf(charge)
  return {
    id: charge.id,
    created_at: charge.createdAt.toISOString(),
    status: charge.status,
    amount: toAmount(charge.amount),
    currency: charge.currency,
    captured_amount: toAmount(capturedOf(charge)),
    refunded_amount: toAmount(refundedOf(charge)),
    disputed_amount: toAmount(charge.disputeSums.at(-1)?.disputed ?? 0),
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

/** A charge that was captured at once, as the API reference shows it. */
const chargeExample: ChargeResource = {
  _id: '6b01799184f819f4cecbe1a7',
  type: 'financial',
  status: 'complete',
  capture: true,
  authorization: false,
  archived: false,
  one_off: true,
  amount: 10,
  currency: 'AUD',
  reference: 'order-1',
  description: null,
  statement_descriptor: null,
  metadata: { order_id: 'A1' },
  items: [],
  transfer: { items: [] },
  schedule: { stopped: false },
  statistics: {
    total_refunded_amount: 0,
    full_refund: false,
    need_sync: false,
    total_disputed_amount: 0,
    total_charged_back_amount: 0,
  },
  customer: {
    payment_source: {
      type: 'card',
      gateway_id: '6b01799184f819f4cecbe1a5',
      gateway_name: 'Sandbox',
      gateway_type: 'sandbox',
      ref_token: null,
      card_number_last4: '1118',
      card_number_bin: '51111111',
      card_name: 'Grace Hopper',
      expire_month: 1,
      expire_year: 2039,
      card_scheme: 'mastercard',
      items: [],
    },
  },
  transactions: [
    {
      _id: '6b01799184f819f4cecbe1a8',
      type: 'sale',
      status: 'complete',
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
      _source_ip_address: '203.0.113.7',
      external_id: '6b01799184f819f4cecbe1a8',
      external_reference: '402117553206',
      created_at: '2026-11-21T10:00:00.000Z',
    },
  ],
  company_id: '6b01799184f819f4cecbe1a4',
  amount_surcharge: null,
  amount_original: null,
  external_id: '6b01799184f819f4cecbe1a8',
  _source_ip_address: '203.0.113.7',
  created_at: '2026-11-21T10:00:00.000Z',
  updated_at: '2026-11-21T10:00:00.120Z',
  __v: 0,
}

/** A charge as the OpenAPI document describes it. */
export const chargeResource: DescribedResource = {
  name: 'Charge',
  schema: ChargeResource,
  words: {
    status:
      'processing: not answered yet; pre_authentication_pending: the bank asks the card holder first; pending: funds are held; complete: taken; cancelled: released; failed; not_authenticated: nobody finished what the bank asked; refunded: all of it went back.',
    capture: 'Whether the money was taken.',
    authorization: 'Whether it began as a hold.',
    amount: 'In units of the currency.',
    transactions: 'Every movement of the charge, oldest first.',
    company_id: 'The merchant.',
    external_id: "The gateway's own id of the sale.",
    __v: 'Counts the changes of the charge.',
  },
  example: chargeExample,
}
