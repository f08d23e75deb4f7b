import type { VNode } from 'preact'
import { useApp } from '../../app-context.ts'
import { ButtonLink } from '../../components/actions/button-link.tsx'
import { DataTable } from '../../components/data/data-table.tsx'
import { FiltersBar } from '../../components/data/filters-bar.tsx'
import { NewRows } from '../../components/data/new-rows.tsx'
import { Pager } from '../../components/data/pager.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { PageHeader } from '../../frame/page-header.tsx'
import { Loaded } from '../../loading/loaded.tsx'
import { CHARGE_COLUMNS } from './charge-columns.tsx'
import { CHARGE_FILTERS } from './charge-query.ts'
import { chargeTexts } from './texts.ts'
import { useCharges } from './use-charges.ts'
import './charges.css'

/** The list of charges. */
export function ChargesPage(): VNode {
  const { list, isFiltered, exportHref, newRows, showNew } = useCharges()
  return (
    <>
      <PageHeader
        title={chargeTexts.title}
        actions={
          <ButtonLink href={exportHref} icon="download" isDownload>
            {chargeTexts.export}
          </ButtonLink>
        }
      >
        {chargeTexts.description}
      </PageHeader>
      <FiltersBar filters={CHARGE_FILTERS} search={chargeTexts.search} />
      <NewRows count={newRows.value} words={chargeTexts.newRows(newRows.value)} show={showNew} />
      <Loaded of={list} skeleton={<Skeleton lines={8} />}>
        {(charges, { next }) => (
          <>
            {charges.length === 0 ? (
              <NoCharges isFiltered={isFiltered} isEnd={next === null} />
            ) : (
              <DataTable
                label={chargeTexts.list}
                columns={CHARGE_COLUMNS}
                rows={charges}
                keyOf={({ id }) => id}
                hrefOf={({ id }) => `/charges/${id}`}
              />
            )}
            <Pager next={next} />
          </>
        )}
      </Loaded>
    </>
  )
}

interface NoChargesProps {
  isFiltered: boolean
  /** Whether the service has looked through all charges; else the next page looks further. */
  isEnd: boolean
}

function NoCharges({ isFiltered, isEnd }: NoChargesProps): VNode {
  const { path } = useApp().router.place.value
  const { none, notFound } = chargeTexts
  if (!isFiltered)
    return (
      <EmptyState icon="charges" title={none.title}>
        {none.words}
      </EmptyState>
    )
  return (
    <EmptyState
      icon="search"
      title={notFound.title}
      action={<ButtonLink href={path}>{notFound.clear}</ButtonLink>}
    >
      {isEnd ? notFound.words : notFound.further}
    </EmptyState>
  )
}
