import type { VNode } from 'preact'
import * as v from 'valibot'
import { AGREEMENT_TYPES } from '../../../contract/api/agreements/agreement-request.ts'
import { AGREEMENT_STATUSES, AgreementResource } from '../../../contract/api/agreements/agreement-resource.ts'
import { useApp, useFormats } from '../../app-context.ts'
import type { Column } from '../../components/data/data-table.tsx'
import { FiltersBar } from '../../components/data/filters-bar.tsx'
import type { Filter } from '../../components/data/filters-bar.tsx'
import { Day } from '../../formats/day.tsx'
import { Moment } from '../../formats/moment.tsx'
import { PageHeader } from '../../shell/page-header.tsx'
import { CREATED_FILTERS, createdQuery } from '../../listing/created-query.ts'
import { ListView } from '../../listing/list-view.tsx'
import { useList } from '../../listing/use-list.ts'
import { useView } from '../../session/use-view.ts'
import { AgreementStatus } from './agreement-status.tsx'
import { termsLine } from './terms/terms-words.ts'
import { agreementTexts, statusTexts, typeTexts } from './texts.ts'

const PATH = '/agreements'
const Agreements = v.array(AgreementResource)
const { columns, filters } = agreementTexts

const FILTERS: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: filters.status,
    options: AGREEMENT_STATUSES.map((value) => ({ value, words: statusTexts[value] })),
  },
  {
    kind: 'choice',
    name: 'type',
    label: filters.type,
    options: AGREEMENT_TYPES.map((value) => ({ value, words: typeTexts[value] })),
  },
  ...CREATED_FILTERS,
]

const COLUMNS: readonly Column<AgreementResource>[] = [
  {
    key: 'description',
    title: columns.description,
    cell: ({ description, debtor, reference }) => (
      <span class="two-lines">
        <span>{description}</span>
        <span class="soft">{[debtor.name, reference].filter(Boolean).join(' · ')}</span>
      </span>
    ),
  },
  {
    key: 'status',
    title: columns.status,
    isState: true,
    cell: ({ status }) => <AgreementStatus status={status} />,
  },
  { key: 'terms', title: columns.terms, cell: (agreement) => <Terms agreement={agreement} /> },
  {
    key: 'next',
    title: columns.next,
    cell: ({ next_collection_date }) => next_collection_date && <Day day={next_collection_date} />,
  },
  { key: 'time', title: columns.time, cell: ({ created_at }) => <Moment at={created_at} as="date" /> },
]

function Terms({ agreement }: { agreement: AgreementResource }): VNode {
  return <>{termsLine(agreement.payment_terms, agreement, useFormats())}</>
}

/** A merchant's agreements, newest first, narrowed by the filters of the address. */
export function AgreementsPage(): VNode {
  const { query } = useApp().router.place.value
  const { time_zone } = useView()
  const state = useList<AgreementResource>({
    path: PATH,
    filters: {
      status: query.get('status'),
      type: query.get('type'),
      reference: query.get('q'),
      ...createdQuery(query, time_zone),
    },
    schema: Agreements,
    idOf: ({ _id }) => _id,
    isAbout: ({ type }) => type.startsWith('agreement.'),
    readOne: (id, read) => read(`${PATH}/${id}`, AgreementResource),
  })
  return (
    <>
      <PageHeader title={agreementTexts.title}>{agreementTexts.description}</PageHeader>
      <FiltersBar filters={FILTERS} search={agreementTexts.search} />
      <ListView
        state={state}
        label={agreementTexts.list}
        columns={COLUMNS}
        hrefOf={({ _id }) => `/agreements/${_id}`}
        newRows={agreementTexts.newRows}
        none={{ icon: 'agreements', ...agreementTexts.none }}
      />
    </>
  )
}
