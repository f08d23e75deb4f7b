import { PAYMENT_STATUSES } from '../../../contract/api/agreements/agreement-payment-resource.ts'
import type { AgreementPaymentResource } from '../../../contract/api/agreements/agreement-payment-resource.ts'
import type { Column } from '../../components/data/data-table.tsx'
import type { Filter } from '../../components/data/filters-bar.tsx'
import { Moment } from '../../formats/moment.tsx'
import { amountColumn } from '../../listing/amount-column.tsx'
import { PaymentStatus } from './payment-status.tsx'
import { paymentTexts, statusTexts } from './texts.ts'

const { columns } = paymentTexts

export const PAYMENT_STATUS_FILTER: Filter = {
  kind: 'choice',
  name: 'status',
  label: paymentTexts.status,
  options: PAYMENT_STATUSES.map((value) => ({ value, words: statusTexts[value] })),
}

type PaymentColumn = Column<AgreementPaymentResource>

/** The columns of any list of payments. */
export const PAYMENT_COLUMNS: Readonly<Record<'amount' | 'status' | 'reference' | 'time', PaymentColumn>> = {
  amount: amountColumn(columns.amount),
  status: {
    key: 'status',
    title: columns.status,
    isState: true,
    cell: ({ status }) => <PaymentStatus status={status} />,
  },
  reference: {
    key: 'reference',
    title: columns.reference,
    cell: ({ reference, failure, last_payment }) => (
      <span class="two-lines">
        <span>{reference}</span>
        {failure !== null && <span class="soft">{failure.message}</span>}
        {last_payment && <span class="soft">{paymentTexts.last}</span>}
      </span>
    ),
  },
  time: {
    key: 'time',
    title: columns.time,
    cell: ({ created_at }) => <Moment at={created_at} />,
  },
}
