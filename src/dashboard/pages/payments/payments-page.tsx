import type { VNode } from 'preact'
import * as v from 'valibot'
import { AgreementPaymentResource } from '../../../contract/api/agreements/agreement-payment-resource.ts'
import { AgreementResource } from '../../../contract/api/agreements/agreement-resource.ts'
import { ListedPayment } from '../../../contract/dashboard/payments/payment-list.ts'
import { useApp } from '../../app-context.ts'
import type { Column } from '../../components/data/data-table.tsx'
import { FiltersBar } from '../../components/data/filters-bar.tsx'
import type { Filter } from '../../components/data/filters-bar.tsx'
import { PageHeader } from '../../shell/page-header.tsx'
import { CREATED_FILTERS, createdQuery } from '../../listing/created-query.ts'
import { ListView } from '../../listing/list-view.tsx'
import { useList } from '../../listing/use-list.ts'
import type { ReadData } from '../../listing/use-list.ts'
import { useView } from '../../session/use-view.ts'
import { PAYMENT_COLUMNS, PAYMENT_STATUS_FILTER } from './payment-columns.tsx'
import { paymentTexts } from './texts.ts'

const Payments = v.array(ListedPayment)

const FILTERS: readonly Filter[] = [
  PAYMENT_STATUS_FILTER,
  { kind: 'text', name: 'agreement', label: paymentTexts.agreementFilter },
  ...CREATED_FILTERS,
]

const { amount, status, reference, time } = PAYMENT_COLUMNS
const COLUMNS: readonly Column<ListedPayment>[] = [
  amount,
  status,
  {
    key: 'agreement',
    title: paymentTexts.columns.agreement,
    cell: ({ agreement_description, debtor_name }) => (
      <span class="two-lines">
        <span>{agreement_description}</span>
        <span class="soft">{debtor_name}</span>
      </span>
    ),
  },
  reference,
  time,
]

/** The payments of all agreements. */
export function PaymentsPage(): VNode {
  const { query } = useApp().router.place.value
  const { time_zone } = useView()
  const state = useList<ListedPayment>({
    path: '/api/payments',
    filters: {
      status: query.get('status'),
      agreement_id: query.get('agreement'),
      ...createdQuery(query, time_zone),
    },
    schema: Payments,
    idOf: ({ _id }) => _id,
    isAbout: ({ type }) => type.startsWith('payment.'),
    readOne,
  })
  return (
    <>
      <PageHeader title={paymentTexts.list}>{paymentTexts.listWords}</PageHeader>
      <FiltersBar filters={FILTERS} />
      <ListView
        state={state}
        label={paymentTexts.list}
        columns={COLUMNS}
        hrefOf={({ _id }) => `/payments/${_id}`}
        newRows={paymentTexts.newRows}
        none={{ icon: 'payments', ...paymentTexts.none }}
      />
    </>
  )
}

async function readOne(id: string, read: ReadData): Promise<ListedPayment | null> {
  const payment = await read(`/payments/${id}`, AgreementPaymentResource)
  const agreement = payment && (await read(`/agreements/${payment.agreement_id}`, AgreementResource))
  if (!agreement) return null
  return { ...payment, agreement_description: agreement.description, debtor_name: agreement.debtor.name }
}
