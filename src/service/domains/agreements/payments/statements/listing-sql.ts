import { arrayOf, bigint, text, textOf } from '../../../../platform/database/sql-types.ts'
import { statement } from '../../../../platform/database/statement.ts'
import { IN_WINDOW, windowTypes } from '../../../../platform/listing/page-query.ts'
import { columns, columnsOf, paymentColumns } from '../payment-row.ts'
import type { PaymentState } from '../payment.ts'

const values = {
  merchant_id: text,
  statuses: arrayOf(textOf<PaymentState>()),
  limit: bigint,
  ...windowTypes,
}
const listedColumns = { ...paymentColumns, agreement_description: text, debtor_name: text }

/** A page of the payments that `page` reads, with what is shown of their agreements. */
const listed = (page: string): string => `
  SELECT ${columnsOf('p')}, a.description AS agreement_description, a.debtor ->> 'name' AS debtor_name
  FROM (${page} ORDER BY created_at DESC, id DESC LIMIT :limit) p JOIN agreements a ON a.id = p.agreement_id
  ORDER BY p.created_at DESC, p.id DESC`

/** Across agreements: of each state as many as may be on the page, from the place of that state in one index. */
export const listPaymentsOfMerchant = statement({
  name: 'list_payments_of_merchant',
  values,
  columns: listedColumns,
  sql: listed(`
    SELECT found.* FROM unnest(:statuses::text[]) AS wanted (status) CROSS JOIN LATERAL (
      SELECT ${columns} FROM agreement_payments
      WHERE merchant_id = :merchant_id AND status = wanted.status AND ${IN_WINDOW}
      ORDER BY created_at DESC, id DESC LIMIT :limit
    ) found`),
})

/** Those of one agreement are few enough to be filtered as they are read. */
export const listPaymentsOfAgreement = statement({
  name: 'list_payments_of_agreement',
  values: { ...values, agreement_id: text },
  columns: listedColumns,
  sql: listed(`
    SELECT ${columns} FROM agreement_payments
    WHERE agreement_id = :agreement_id AND merchant_id = :merchant_id AND status = ANY (:statuses::text[])
      AND ${IN_WINDOW}`),
})
