import { text } from '../../../../platform/database/sql-types.ts'
import { statement } from '../../../../platform/database/statement.ts'
import { IN_WINDOW, pageTypes } from '../../../../platform/listing/page-query.ts'
import { columns, paymentColumns } from '../payment-row.ts'

export const findPayment = statement({
  name: 'find_agreement_payment',
  values: { id: text },
  columns: paymentColumns,
  sql: `SELECT ${columns} FROM agreement_payments WHERE id = :id`,
})

/** A page of an agreement's payments, newest first. Those of one agreement are few enough to be filtered as they are read. */
export const listPayments = statement({
  name: 'list_agreement_payments',
  values: { agreement_id: text, ...pageTypes },
  columns: paymentColumns,
  sql: `
    SELECT ${columns} FROM agreement_payments
    WHERE agreement_id = :agreement_id
      AND (:status::text IS NULL OR status = :status)
      AND (:reference::text IS NULL OR reference = :reference)
      AND ${IN_WINDOW}
    ORDER BY created_at DESC, id DESC LIMIT :limit OFFSET :skip`,
})
