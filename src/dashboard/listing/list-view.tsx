import type { ComponentChildren, VNode } from 'preact'
import { useApp } from '../app-context.ts'
import { ButtonLink } from '../components/actions/button-link.tsx'
import { DataTable } from '../components/data/data-table.tsx'
import type { Column } from '../components/data/data-table.tsx'
import { NewRows } from '../components/data/new-rows.tsx'
import { Pager } from '../components/data/pager.tsx'
import { EmptyState } from '../components/feedback/empty-state.tsx'
import { Skeleton } from '../components/feedback/skeleton.tsx'
import type { IconName } from '../components/icon.tsx'
import { Loaded } from '../loading/loaded.tsx'
import type { ListState } from './use-list.ts'

const texts = {
  title: 'Nothing fits',
  words: 'Nothing fits this search and these filters. Take a filter away, or look for something else.',
  further: 'Nothing was found among the newest. Go to the next page to look further back.',
  clear: 'Clear filters',
} as const

interface ListViewProps<Row> {
  state: ListState<Row>
  /** What is listed, for screen readers. */
  label: string
  columns: readonly Column<Row>[]
  hrefOf: (row: Row) => string
  /** Such as "3 new charges". */
  newRows: (count: number) => string
  /** Shown where there is nothing yet, whatever the filters. */
  none: { icon: IconName; title: string; words: ComponentChildren; action?: ComponentChildren }
}

/** A list in each of its states, with its pages and the bar that announces new rows. */
export function ListView<Row>({ state, label, columns, hrefOf, newRows, none }: ListViewProps<Row>): VNode {
  const { list, idOf, isFiltered, showNew } = state
  const count = state.newRows.value
  const isFirst = !useApp().router.place.value.query.has('cursor')
  return (
    <div>
      <NewRows count={count} words={newRows(count)} show={showNew} />
      <Loaded of={list} skeleton={<Skeleton lines={8} />}>
        {(rows, { next }) => (
          <>
            {rows.length > 0 ? (
              <DataTable label={label} columns={columns} rows={rows} keyOf={idOf} hrefOf={hrefOf} />
            ) : isFiltered || !isFirst ? (
              <NoMatches isEnd={next === null} />
            ) : (
              <EmptyState icon={none.icon} title={none.title} action={none.action}>
                {none.words}
              </EmptyState>
            )}
            <Pager next={next} />
          </>
        )}
      </Loaded>
    </div>
  )
}

/** `isEnd`: the service has searched everything; if not, the next page continues the search. */
function NoMatches({ isEnd }: { isEnd: boolean }): VNode {
  const { path } = useApp().router.place.value
  const { title, words, further, clear } = texts
  return (
    <EmptyState icon="search" title={title} action={<ButtonLink href={path}>{clear}</ButtonLink>}>
      {isEnd ? words : further}
    </EmptyState>
  )
}
