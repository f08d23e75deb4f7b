import type { VNode } from 'preact'
import * as v from 'valibot'
import {
  CHECKOUT_STATUSES,
  CheckoutResource,
  CheckoutWithJourney,
} from '../../../contract/api/checkouts/checkout-resource.ts'
import { useApp } from '../../app-context.ts'
import type { Column } from '../../components/data/data-table.tsx'
import { FiltersBar } from '../../components/data/filters-bar.tsx'
import type { Filter } from '../../components/data/filters-bar.tsx'
import { Moment } from '../../formats/moment.tsx'
import { amountColumn } from '../../listing/amount-column.tsx'
import { PageHeader } from '../../shell/page-header.tsx'
import { CREATED_FILTERS, createdQuery } from '../../listing/created-query.ts'
import { ListView } from '../../listing/list-view.tsx'
import { useList } from '../../listing/use-list.ts'
import { useView } from '../../session/use-view.ts'
import { CheckoutStatus } from './checkout-status.tsx'
import { checkoutTexts, statusTexts } from './texts.ts'

type Checkout = v.InferOutput<typeof CheckoutResource>

const PATH = '/v1/checkouts'
const Checkouts = v.array(CheckoutResource)
const { columns } = checkoutTexts

const FILTERS: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: checkoutTexts.status,
    options: CHECKOUT_STATUSES.map((value) => ({ value, words: statusTexts[value] })),
  },
  ...CREATED_FILTERS,
]

const COLUMNS: readonly Column<Checkout>[] = [
  amountColumn(columns.amount),
  {
    key: 'status',
    title: columns.status,
    isState: true,
    cell: ({ status }) => <CheckoutStatus status={status} />,
  },
  {
    key: 'reference',
    title: columns.reference,
    cell: ({ reference, description }) => (
      <span class="two-lines">
        <span>{reference ?? <span class="soft">{checkoutTexts.noReference}</span>}</span>
        {description !== null && <span class="soft">{description}</span>}
      </span>
    ),
  },
  { key: 'version', title: columns.version, align: 'end', cell: ({ version }) => version },
  { key: 'time', title: columns.time, cell: ({ created_at }) => <Moment at={created_at} /> },
]

/** The list of checkouts. */
export function CheckoutsPage(): VNode {
  const { query } = useApp().router.place.value
  const { time_zone } = useView()
  const state = useList<Checkout>({
    path: PATH,
    filters: { status: query.get('status'), reference: query.get('q'), ...createdQuery(query, time_zone) },
    schema: Checkouts,
    idOf: ({ _id }) => _id,
    isAbout: ({ type }) => type.startsWith('checkout.'),
    readOne: (id, read) => read(`${PATH}/${id}`, CheckoutWithJourney),
  })
  return (
    <>
      <PageHeader title={checkoutTexts.title}>{checkoutTexts.description}</PageHeader>
      <FiltersBar filters={FILTERS} search={checkoutTexts.search} />
      <ListView
        state={state}
        label={checkoutTexts.list}
        columns={COLUMNS}
        hrefOf={({ _id }) => `/checkouts/${_id}`}
        newRows={checkoutTexts.newRows}
        none={{ icon: 'checkouts', ...checkoutTexts.none }}
      />
    </>
  )
}
