import type { VNode } from 'preact'
import { ChargePage } from '../../../contract/dashboard/payments/charge-list.ts'
import type { ChargeSummary } from '../../../contract/dashboard/payments/charge-list.ts'
import { useApp } from '../../app-context.ts'
import { FiltersBar } from '../../components/data/filters-bar.tsx'
import { PageHeader } from '../../shell/page-header.tsx'
import { ListView } from '../../listing/list-view.tsx'
import { useList } from '../../listing/use-list.ts'
import { pathWith } from '../../router/query.ts'
import { useView } from '../../session/use-view.ts'
import { CHARGE_COLUMNS } from './charge-columns.tsx'
import { CHARGE_FILTERS, chargeQuery } from './charge-query.ts'
import { ExportLink } from './export-link.tsx'
import { chargeTexts } from './texts.ts'
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
    isAbout: ({ type }) => type.startsWith('charge.'),
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
