import type { VNode } from 'preact'
import * as v from 'valibot'
import { AgreementPaymentResource } from '../../../../contract/api/agreements/agreement-payment-resource.ts'
import { useApp } from '../../../app-context.ts'
import { Link } from '../../../components/actions/link.tsx'
import { FiltersBar } from '../../../components/data/filters-bar.tsx'
import { Section } from '../../../shell/section.tsx'
import { ListView } from '../../../listing/list-view.tsx'
import { useList } from '../../../listing/use-list.ts'
import type { ListState } from '../../../listing/use-list.ts'
import { pathWith } from '../../../router/query.ts'
import { PAYMENT_COLUMNS, PAYMENT_STATUS_FILTER } from '../../payments/payment-columns.tsx'
import { paymentTexts } from '../../payments/texts.ts'

const Payments = v.array(AgreementPaymentResource)
const FILTERS = [PAYMENT_STATUS_FILTER]
const COLUMNS = Object.values(PAYMENT_COLUMNS)

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

interface PaymentsSectionProps {
  agreementId: string
  payments: ListState<AgreementPaymentResource>
}

/** The payments of an agreement. */
export function PaymentsSection({ agreementId, payments }: PaymentsSectionProps): VNode {
  return (
    <Section
      title={paymentTexts.list}
      actions={<Link href={pathWith('/payments', { agreement: agreementId })}>{paymentTexts.byDay}</Link>}
    >
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
