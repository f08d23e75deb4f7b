import type { VNode } from 'preact'
import { ChargePage, LISTED_STATUSES } from '../../../contract/dashboard/payments/charge-list.ts'
import type { ChargeSummary } from '../../../contract/dashboard/payments/charge-list.ts'
import { useApp } from '../../app-context.ts'
import { FiltersBar } from '../../components/data/filters-bar.tsx'
import { PageHeader } from '../../shell/page-header.tsx'
import { ListView } from '../../listing/list-view.tsx'
import { useList } from '../../listing/use-list.ts'
import { pathWith } from '../../router/query.ts'
import { useView } from '../../session/use-view.ts'
import type { Column } from '../../components/data/data-table.tsx'
import { Badge } from '../../components/data/badge.tsx'
import { centsOf } from '../../formats/cents.ts'
import { Moment } from '../../formats/moment.tsx'
import { Money } from '../../formats/money.tsx'
import { amountColumn } from '../../listing/amount-column.tsx'
import { CardName } from './card-name.tsx'
import { ChargeStatusBadge } from './charge-status.tsx'
import { chargeTexts, listedStatusTexts } from './texts.ts'
import type { Filter } from '../../components/data/filters-bar.tsx'
import { CREATED_FILTERS, createdQuery } from '../../listing/created-query.ts'
import { SCHEME_NAMES } from './scheme-names.ts'
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { IN_VIEW_QUERY, inViewOf } from '../../../contract/dashboard/people/session-view.ts'
import { ButtonLink } from '../../components/actions/button-link.tsx'
import './charges.css'

const PATH = '/api/charges'

/** The list of charges. */
export function ChargesPage(): VNode {
  const { query } = useApp().router.place.value
  const { time_zone } = useView()
  const filters = chargeQuery(query, time_zone)
  const state = useList<ChargeSummary>({
    path: PATH,
    filters,
    schema: ChargePage,
    idOf: ({ id }) => id,
    isAbout: ({ type }) => /^(?:charge|dispute)\./.test(type),
    readOne: async (id, read) => (await read(pathWith(PATH, { q: id }), ChargePage))?.[0] ?? null,
  })
  return (
    <>
      <PageHeader title={chargeTexts.title} actions={<ExportLink filters={filters} />}>
        {chargeTexts.description}
      </PageHeader>
      <FiltersBar filters={CHARGE_FILTERS} search={chargeTexts.search} />
      <ListView
        state={state}
        label={chargeTexts.list}
        columns={CHARGE_COLUMNS}
        hrefOf={({ id }) => `/charges/${id}`}
        newRows={chargeTexts.newRows}
        none={{ icon: 'charges', ...chargeTexts.none }}
      />
    </>
  )
}

const { columns } = chargeTexts

/** What the list shows of a charge. */
const CHARGE_COLUMNS: readonly Column<ChargeSummary>[] = [
  amountColumn(columns.amount),
  { key: 'status', title: columns.status, isState: true, cell: (charge) => <Status {...charge} /> },
  {
    key: 'card',
    title: columns.card,
    cell: ({ card_scheme, card_last4 }) => <CardName scheme={card_scheme} last4={card_last4} />,
  },
  {
    key: 'reference',
    title: columns.reference,
    cell: ({ reference, customer_name }) => (
      <span class="two-lines">
        <span>{reference ?? <span class="soft">{chargeTexts.noReference}</span>}</span>
        {customer_name !== null && <span class="soft">{customer_name}</span>}
      </span>
    ),
  },
  { key: 'time', title: columns.time, cell: ({ created_at }) => <Moment at={created_at} /> },
]

/** The state; beside a hold when it ends, and beside what was captured in part how much that was. */
function Status(charge: ChargeSummary): VNode {
  const { status, is_outcome_open, amount, captured_amount, refunded_amount, hold_ends_at } = charge
  const isPartlyCaptured = captured_amount > 0 && captured_amount < amount
  return (
    <span class="status-cell">
      <ChargeStatusBadge
        status={status}
        isPartlyRefunded={refunded_amount > 0}
        isOutcomeOpen={is_outcome_open}
      />
      {charge.disputed_amount > 0 && <Badge tone="wait">{chargeTexts.disputed}</Badge>}
      {hold_ends_at !== null && !is_outcome_open && (
        <span class="soft">
          {chargeTexts.ends} <Moment at={hold_ends_at} as="relative" />
        </span>
      )}
      {isPartlyCaptured && (
        <span class="soft">
          <Money cents={centsOf(captured_amount)} currency={charge.currency} /> {chargeTexts.captured}
        </span>
      )}
    </span>
  )
}

interface ExportLinkProps {
  /** What `GET /api/charges` is asked for. */
  filters: Readonly<Record<string, string | null | undefined>>
}

/**
 * Saves the charges of the filters as a file. The browser takes the file, as it may be too large for the page; but then nobody sees
 * why the service refuses it. So the page first asks for one charge: if that is refused, it says why, and nothing is saved.
 */
function ExportLink({ filters }: ExportLinkProps): VNode {
  const { api, toasts } = useApp()
  const { time_zone, user, merchant } = useView()
  const isAsking = useSignal(false)
  const isGranted = useRef(false)
  const begin = async (link: HTMLAnchorElement) => {
    isAsking.value = true
    const outcome = await api.read(pathWith('/api/charges', { ...filters, limit: '1' }), ChargePage)
    isAsking.value = false
    isGranted.current = outcome.kind === 'done'
    if (outcome.kind === 'done') link.click()
    else toasts.show(outcome.failure.words, { tone: 'bad' })
  }
  const inView = { [IN_VIEW_QUERY]: inViewOf(user.id, merchant.id) }
  return (
    <ButtonLink
      href={pathWith('/api/charges.csv', { ...filters, time_zone, ...inView })}
      icon="download"
      isDownload
      isBusy={isAsking.value}
      onClick={(event) => {
        if (isGranted.current) {
          isGranted.current = false
          return
        }
        event.preventDefault()
        if (!isAsking.value) void begin(event.currentTarget)
      }}
    >
      {chargeTexts.export}
    </ButtonLink>
  )
}

const { filters } = chargeTexts

/** The filters of the list of charges, as they stand in the address. */
const CHARGE_FILTERS: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: filters.status,
    options: LISTED_STATUSES.map((value) => ({ value, words: listedStatusTexts[value] })),
  },
  {
    kind: 'choice',
    name: 'scheme',
    label: filters.scheme,
    options: Object.entries(SCHEME_NAMES).map(([value, words]) => ({ value, words })),
  },
  ...CREATED_FILTERS,
  { kind: 'amount', name: 'amount.from', label: filters.from },
  { kind: 'amount', name: 'amount.to', label: filters.to },
]

/** Names in the address that the service knows by the same names. */
const SAME = ['q', 'status', 'scheme', 'gateway_id', 'amount.from', 'amount.to']

/** Which charges an address asks for, as the service's lists of charges take it. */
function chargeQuery(query: URLSearchParams, timeZone: string): Record<string, string | null> {
  const same = Object.fromEntries(SAME.map((name) => [name, query.get(name)]))
  return { ...same, ...createdQuery(query, timeZone) }
}
