import {
  bool,
  cents,
  integer,
  jsonb,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../../platform/database/sql-types.ts'
import type { Payment, PaymentFailure, PaymentState } from './payment.ts'

/** The columns of a payment as a statement returns it. */
export const paymentColumns = {
  id: text,
  agreement_id: text,
  merchant_id: text,
  agreement_version: integer,
  status: textOf<PaymentState>(),
  amount: cents,
  reference: text,
  description: nullable(text),
  is_last: bool,
  due_on: nullable(text),
  counts_on: text,
  failure: nullable(jsonb<PaymentFailure>()),
  network_reference: nullable(text),
  created_at: timestamptz,
  sent_at: nullable(timestamptz),
  investigated_at: nullable(timestamptz),
  ended_at: nullable(timestamptz),
  updated_at: timestamptz,
}
export type PaymentRow = ValuesOf<typeof paymentColumns>

const names = Object.keys(paymentColumns)
export const columns = names.join(', ')

/** The same columns where more than one table is read; `table` is its name in the statement. */
export const columnsOf = (table: string): string => names.map((name) => `${table}.${name}`).join(', ')

export function toPayment(row: PaymentRow): Payment {
  return {
    id: row.id,
    agreementId: row.agreement_id,
    merchantId: row.merchant_id,
    agreementVersion: row.agreement_version,
    status: row.status,
    amount: row.amount,
    reference: row.reference,
    description: row.description,
    isLast: row.is_last,
    dueOn: row.due_on,
    countsOn: row.counts_on,
    failure: row.failure,
    networkReference: row.network_reference,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    investigatedAt: row.investigated_at,
    endedAt: row.ended_at,
    updatedAt: row.updated_at,
  }
}
