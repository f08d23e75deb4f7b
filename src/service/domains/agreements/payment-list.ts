import { PAYMENT_STATUSES } from '../../../contract/api/agreements/agreement-payment-resource.ts'
import type { Queries } from '../../platform/database/database.ts'
import { arrayOf, bigint, text, textOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import {
  IN_WINDOW,
  pageOf,
  pageTypes,
  toPageValues,
  toWindowValues,
  windowTypes,
} from '../../platform/listing/page-query.ts'
import type { PageFilter } from '../../platform/listing/page-query.ts'
import { columns, columnsOf, paymentColumns, toPayment } from './payment-store.ts'
import type { Payment, PaymentState } from './payment.ts'

/** Selects payments across a merchant's agreements; null selects any agreement, any state. */
export interface PaymentFilter extends Pick<PageFilter, 'from' | 'to' | 'after' | 'limit'> {
  agreementId: string | null
  status: PaymentState | null
}

/** A payment, with what the dashboard shows of its agreement. */
export interface PaymentWithAgreement extends Payment {
  agreementDescription: string
  debtorName: string
}

/** A page of an agreement's payments, newest first. */
export async function listPayments(
  queries: Queries,
  agreementId: string,
  filter: PageFilter,
): Promise<Payment[]> {
  return (await queries.run(paymentsOfAgreement, { agreement_id: agreementId, ...toPageValues(filter) })).map(
    toPayment,
  )
}

/** A page of a merchant's payments across its agreements, newest first, and where the next page begins; null on the last. */
export function listMerchantPayments(
  queries: Queries,
  merchantId: string,
  { agreementId, status, ...window }: PaymentFilter,
): Promise<{ shown: PaymentWithAgreement[]; next: string | null }> {
  return pageOf({ ...window, status, reference: null, skip: 0 }, async (page) => {
    const values = {
      merchant_id: merchantId,
      statuses: status === null ? PAYMENT_STATUSES : [status],
      limit: page.limit,
      ...toWindowValues(page),
    }
    const rows =
      agreementId === null
        ? await queries.run(shownOfMerchant, values)
        : await queries.run(shownOfAgreement, { ...values, agreement_id: agreementId })
    return rows.map(({ agreement_description, debtor_name, ...row }) => ({
      ...toPayment(row),
      agreementDescription: agreement_description,
      debtorName: debtor_name,
    }))
  })
}

/** An agreement has few enough payments to filter them as they are read. */
export const paymentsOfAgreement = statement({
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

/** Across agreements: of each state as many as may be on the page, from one place in one index. */
export const shownOfMerchant = statement({
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

export const shownOfAgreement = statement({
  name: 'list_payments_of_agreement',
  values: { ...values, agreement_id: text },
  columns: listedColumns,
  sql: listed(`
    SELECT ${columns} FROM agreement_payments
    WHERE agreement_id = :agreement_id AND merchant_id = :merchant_id AND status = ANY (:statuses::text[])
      AND ${IN_WINDOW}`),
})
