import { PAYMENT_STATUSES } from '../../../../../contract/api/agreements/agreement-payment-resource.ts'
import type { Database } from '../../../../platform/database/database.ts'
import { pageOf, toWindowValues } from '../../../../platform/listing/page-query.ts'
import type { PageFilter } from '../../../../platform/listing/page-query.ts'
import { toPayment } from '../payment-row.ts'
import type { Payment, PaymentState } from '../payment.ts'
import { listPaymentsOfAgreement, listPaymentsOfMerchant } from '../statements/listing-sql.ts'

/** Which of a merchant's payments are listed, newest first; null: of any agreement, in any state. */
export interface PaymentFilter extends Pick<PageFilter, 'from' | 'to' | 'after' | 'limit'> {
  agreementId: string | null
  status: PaymentState | null
}

/** A payment, with what is shown of its agreement. */
export interface PaymentOfAgreement extends Payment {
  agreementDescription: string
  debtorName: string
}

/** A page of a merchant's payments across its agreements, and where the next one begins; null on the last. */
export type ListPayments = (
  merchantId: string,
  filter: PaymentFilter,
) => Promise<{ shown: PaymentOfAgreement[]; next: string | null }>

export function createListPayments(database: Database): ListPayments {
  return (merchantId, { agreementId, status, ...window }) =>
    pageOf({ ...window, status, reference: null, skip: 0 }, async (page) => {
      const values = {
        merchant_id: merchantId,
        statuses: status === null ? PAYMENT_STATUSES : [status],
        limit: page.limit,
        ...toWindowValues(page),
      }
      const rows =
        agreementId === null
          ? await database.run(listPaymentsOfMerchant, values)
          : await database.run(listPaymentsOfAgreement, { ...values, agreement_id: agreementId })
      return rows.map(({ agreement_description, debtor_name, ...row }) => ({
        ...toPayment(row),
        agreementDescription: agreement_description,
        debtorName: debtor_name,
      }))
    })
}
