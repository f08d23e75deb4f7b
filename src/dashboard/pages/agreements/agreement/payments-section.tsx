import type { VNode } from 'preact'
import * as v from 'valibot'
import {
  AgreementPaymentResource,
  PAYMENT_STATUSES,
} from '../../../../contract/api/agreement-payment-resource.ts'
import { useApp } from '../../../app-context.ts'
import type { Column } from '../../../components/data/data-table.tsx'
import { FiltersBar } from '../../../components/data/filters-bar.tsx'
import type { Filter } from '../../../components/data/filters-bar.tsx'
import { centsOf } from '../../../formats/cents.ts'
import { Moment } from '../../../formats/moment.tsx'
import { Money } from '../../../formats/money.tsx'
import { Section } from '../../../frame/section.tsx'
import { ListView } from '../../../listing/list-view.tsx'
import { useList } from '../../../listing/use-list.ts'
import type { ListState } from '../../../listing/use-list.ts'
import { PaymentStatus } from '../../payments/payment-status.tsx'
import { paymentTexts, statusTexts } from '../../payments/texts.ts'

const Payments = v.array(AgreementPaymentResource)
const { columns } = paymentTexts

const FILTERS: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: paymentTexts.status,
    options: PAYMENT_STATUSES.map((value) => ({ value, words: statusTexts[value] })),
  },
]

const COLUMNS: readonly Column<AgreementPaymentResource>[] = [
  {
    key: 'amount',
    title: columns.amount,
    cell: ({ amount, currency }) => <Money cents={centsOf(amount)} currency={currency} />,
  },
  { key: 'status', title: columns.status, cell: ({ status }) => <PaymentStatus status={status} /> },
  {
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
  { key: 'time', title: columns.time, cell: ({ created_at }) => <Moment at={created_at} /> },
]

/** The payments of an agreement that the address asks for. */
export function usePayments(agreementId: string): ListState<AgreementPaymentResource> {
  const { query } = useApp().router.place.value
  return useList<AgreementPaymentResource>({
    path: `/agreements/${encodeURIComponent(agreementId)}/payments`,
    filters: { status: query.get('status') },
    schema: Payments,
    idOf: ({ _id }) => _id,
    isAbout: ({ type }) => type.startsWith('payment.'),
    readOne: (id, read) => read(`/payments/${id}`, AgreementPaymentResource),
  })
}

/** The payments of an agreement. */
export function PaymentsSection({ payments }: { payments: ListState<AgreementPaymentResource> }): VNode {
  return (
    <Section title={paymentTexts.list}>
      <FiltersBar filters={FILTERS} />
      <ListView
        state={payments}
        label={paymentTexts.list}
        columns={COLUMNS}
        hrefOf={({ _id }) => `/payments/${_id}`}
        newRows={paymentTexts.newRows}
        none={{ icon: 'agreements', ...paymentTexts.none }}
      />
    </Section>
  )
}
