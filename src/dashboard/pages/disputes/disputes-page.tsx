import type { VNode } from 'preact'
import * as v from 'valibot'
import { DISPUTE_STATUSES, DisputeResource } from '../../../contract/api/disputes/dispute-resource.ts'
import { useApp } from '../../app-context.ts'
import { Link } from '../../components/actions/link.tsx'
import type { Column } from '../../components/data/data-table.tsx'
import { FiltersBar } from '../../components/data/filters-bar.tsx'
import type { Filter } from '../../components/data/filters-bar.tsx'
import { dayOf, startOfDay } from '../../formats/day-start.ts'
import { Moment } from '../../formats/moment.tsx'
import { amountColumn } from '../../listing/amount-column.tsx'
import { CREATED_FILTERS, createdQuery } from '../../listing/created-query.ts'
import { ListView } from '../../listing/list-view.tsx'
import { useList } from '../../listing/use-list.ts'
import { useView } from '../../session/use-view.ts'
import { PageHeader } from '../../shell/page-header.tsx'
import { Deadline, DisputeStatusBadge } from './dispute-status.tsx'
import { categoryTexts, disputeTexts, stageTexts, statusTexts } from './texts.ts'

const PATH = '/v1/disputes'
const Disputes = v.array(DisputeResource)
const { columns, filters } = disputeTexts

const STATUS_FILTER: Filter = {
  kind: 'choice',
  name: 'status',
  label: filters.status,
  options: DISPUTE_STATUSES.map((value) => ({ value, words: statusTexts[value] })),
}

/** Of no use where no answer is due any more: then it is neither offered nor applied. */
const DUE_FILTER: Filter = {
  kind: 'choice',
  name: 'due',
  label: filters.due,
  options: Object.entries(disputeTexts.due).map(([value, words]) => ({ value, words })),
}

/** Offered where a link has set it. */
const CHARGE_FILTER: Filter = { kind: 'text', name: 'charge_id', label: filters.charge }

const COLUMNS: readonly Column<DisputeResource>[] = [
  amountColumn(columns.amount),
  {
    key: 'status',
    title: columns.status,
    isState: true,
    cell: (dispute) => <DisputeStatusBadge dispute={dispute} />,
  },
  { key: 'due', title: columns.due, cell: (dispute) => <Deadline dispute={dispute} /> },
  {
    key: 'reason',
    title: columns.reason,
    cell: ({ reason, stage }) => (
      <span class="two-lines">
        <span>{categoryTexts[reason.category]}</span>
        {stage !== 'chargeback' && <span class="soft">{stageTexts[stage]}</span>}
      </span>
    ),
  },
  {
    key: 'charge',
    title: columns.charge,
    isLong: true,
    cell: ({ charge_id }) => (
      <span class="row-inner-link">
        <Link href={`/charges/${charge_id}`}>
          <code>{charge_id}</code>
        </Link>
      </span>
    ),
  },
  { key: 'time', title: columns.opened, cell: ({ created_at }) => <Moment at={created_at} as="date" /> },
]

/** A merchant's disputes: the newest first, or those that need a response, the nearest deadline first. */
export function DisputesPage(): VNode {
  const { router, browser } = useApp()
  const { query } = router.place.value
  const { time_zone } = useView()
  const status = query.get('status')
  const canBeDue = status === null || status === 'needs_response'
  const dueBefore = canBeDue ? endOfDays(query.get('due') ?? '', browser.now(), time_zone) : null
  const isByDeadline = status === 'needs_response' || dueBefore !== null
  const state = useList<DisputeResource>({
    path: PATH,
    filters: {
      status,
      due_before: dueBefore,
      charge_id: query.get('charge_id'),
      ...createdQuery(query, time_zone),
    },
    schema: Disputes,
    idOf: ({ _id }) => _id,
    isAbout: ({ type }) => type.startsWith('dispute.'),
    readOne: (id, read) => read(`${PATH}/${id}`, DisputeResource),
  })
  return (
    <>
      <PageHeader title={disputeTexts.title}>
        {isByDeadline ? disputeTexts.descriptionDue : disputeTexts.description}
      </PageHeader>
      <FiltersBar
        filters={[
          STATUS_FILTER,
          ...(canBeDue ? [DUE_FILTER] : []),
          ...CREATED_FILTERS,
          ...(query.has('charge_id') ? [CHARGE_FILTER] : []),
        ]}
      />
      <ListView
        state={state}
        label={disputeTexts.list}
        columns={COLUMNS}
        hrefOf={({ _id }) => `/disputes/${_id}`}
        newRows={disputeTexts.newRows}
        none={{ icon: 'disputes', ...disputeTexts.none }}
      />
    </>
  )
}

/** When the day ends that is so many days after today in a time zone, as ISO 8601; null for what is no number of days. */
function endOfDays(days: string, now: number, timeZone: string): string | null {
  return /^\d{1,3}$/.test(days) ? startOfDay(dayOf(now, timeZone), timeZone, Number(days) + 1) : null
}
