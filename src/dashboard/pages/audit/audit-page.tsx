import type { VNode } from 'preact'
import * as v from 'valibot'
import { EventView } from '../../../contract/dashboard/audit.ts'
import { useApp } from '../../app-context.ts'
import { ButtonLink } from '../../components/actions/button-link.tsx'
import { DataTable } from '../../components/data/data-table.tsx'
import { FiltersBar } from '../../components/data/filters-bar.tsx'
import { Pager } from '../../components/data/pager.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { PageHeader } from '../../shell/page-header.tsx'
import { createdQuery } from '../../listing/created-query.ts'
import { Loaded } from '../../loading/loaded.tsx'
import { useResource } from '../../loading/use-resource.ts'
import { pathWith } from '../../router/query.ts'
import { usePeople } from '../../people/use-people.ts'
import { useView } from '../../session/use-view.ts'
import { auditColumns } from './audit-columns.tsx'
import { auditFilters } from './audit-filters.ts'
import { ChainNotice } from './chain-notice.tsx'
import { auditTexts } from './texts.ts'

const Events = v.array(EventView)

/** Who did what to the merchant's data and settings. */
export function AuditPage(): VNode {
  const { router } = useApp()
  const { time_zone } = useView()
  const { path: here, query } = router.place.value
  const people = usePeople()
  const filters = {
    type: query.get('type'),
    subject: query.get('subject'),
    actor: query.get('actor'),
    ...createdQuery(query, time_zone),
  }
  const isFiltered = Object.values(filters).some((value) => value !== null)
  const events = useResource(pathWith('/api/events', { ...filters, cursor: query.get('cursor') }), Events)
  return (
    <>
      <PageHeader title={auditTexts.title}>{auditTexts.description}</PageHeader>
      <ChainNotice />
      <FiltersBar filters={auditFilters(people)} />
      <Loaded of={events}>
        {(all, { next }) => (
          <>
            {all.length > 0 && (
              <DataTable
                label={auditTexts.list}
                columns={auditColumns(people)}
                rows={all}
                keyOf={({ id }) => id}
              />
            )}
            {all.length === 0 && !isFiltered && (
              <EmptyState icon="events" title={auditTexts.none.title}>
                {auditTexts.none.words}
              </EmptyState>
            )}
            {all.length === 0 && isFiltered && (
              <EmptyState
                icon="search"
                title={auditTexts.notFound.title}
                action={<ButtonLink href={here}>{auditTexts.notFound.clear}</ButtonLink>}
              >
                {auditTexts.notFound.words}
              </EmptyState>
            )}
            <Pager next={next} />
          </>
        )}
      </Loaded>
    </>
  )
}
