import * as v from 'valibot'
import { Identifier } from '../fields/identifier.ts'

const timestamp = v.pipe(v.string(), v.isoTimestamp())

export const PAYMENT_STATUSES = [
  'received',
  'processing',
  'settled',
  'failed',
  'under_investigation',
] as const

export const PAYMENT_FAILURES = [
  'insufficient_funds',
  'account_closed',
  'agreement_not_active',
  'limit_exceeded',
  'refused',
] as const

/** A payment of an agreement on the wire (contract §6.5). */
export const AgreementPaymentResource = v.strictObject({
  _id: Identifier,
  agreement_id: Identifier,
  agreement_version: v.number(),
  status: v.picklist(PAYMENT_STATUSES),
  amount: v.number(),
  currency: v.literal('AUD'),
  reference: v.string(),
  description: v.nullable(v.string()),
  last_payment: v.boolean(),
  due_on: v.nullable(v.pipe(v.string(), v.isoDate())),
  failure: v.nullable(v.strictObject({ code: v.picklist(PAYMENT_FAILURES), message: v.string() })),
  network_reference: v.nullable(v.string()),
  created_at: timestamp,
  updated_at: timestamp,
  settled_at: v.nullable(timestamp),
})
export type AgreementPaymentResource = v.InferOutput<typeof AgreementPaymentResource>
