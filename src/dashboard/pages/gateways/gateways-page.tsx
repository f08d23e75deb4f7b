import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import * as v from 'valibot'
import { GatewayView, ListedArrival } from '../../../contract/dashboard/company/gateway.ts'
import type { GatewayType } from '../../../contract/dashboard/company/gateway.ts'
import { ButtonLink } from '../../components/actions/button-link.tsx'
import { Button } from '../../components/actions/button.tsx'
import { Badge } from '../../components/data/badge.tsx'
import { DataTable } from '../../components/data/data-table.tsx'
import type { Column } from '../../components/data/data-table.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Loaded } from '../../loading/loaded.tsx'
import { useResource } from '../../loading/use-resource.ts'
import { usePermits } from '../../session/use-view.ts'
import { PageHeader } from '../../shell/page-header.tsx'
import { ArrivalBadge } from './arrival-section.tsx'
import { useGatewayTypes } from './connect-page.tsx'
import { DefaultDialog, TestButton } from './gateway-acts.tsx'
import { gatewayTexts } from './texts.ts'

const Gateways = v.array(GatewayView)
const PATH = '/api/gateways'
const Arrivals = v.array(ListedArrival)
const ARRIVALS_PATH = '/api/gateway_arrivals'
const { columns } = gatewayTexts

/** `arrivals`: null while it is not known. */
const columnsWith = (
  types: readonly GatewayType[],
  arrivals: readonly ListedArrival[] | null,
): readonly Column<GatewayView>[] => [
  { key: 'name', title: columns.name, cell: ({ name }) => name },
  {
    key: 'type',
    title: columns.type,
    cell: ({ type }) =>
      type === 'sandbox' ? gatewayTexts.sandbox : (types.find((one) => one.type === type)?.name ?? type),
  },
  {
    key: 'credentials',
    title: columns.credentials,
    cell: ({ has_credentials }) => (has_credentials ? gatewayTexts.stored : gatewayTexts.notNeeded),
  },
  {
    key: 'arrival',
    title: columns.arrival,
    cell: ({ id }) => arrivals !== null && <Arrival of={arrivals.find((one) => one.id === id)} />,
  },
  {
    key: 'state',
    title: columns.state,
    isState: true,
    cell: ({ is_default }) =>
      is_default ? (
        <Badge tone="good">{gatewayTexts.isDefault}</Badge>
      ) : (
        <Badge tone="calm">{gatewayTexts.other}</Badge>
      ),
  },
]

function Arrival({ of }: { of: ListedArrival | undefined }): VNode {
  return of === undefined ? <>{gatewayTexts.sendsNone}</> : <ArrivalBadge arrival={of.arrival} />
}

/** The columns, which fill as types and arrivals are read. */
function useColumns(): readonly Column<GatewayView>[] {
  const { value: types } = useGatewayTypes().state
  const { value: arrivals } = useResource(ARRIVALS_PATH, Arrivals).state
  return columnsWith(
    types.kind === 'ready' ? types.data : [],
    arrivals.kind === 'ready' ? arrivals.data : null,
  )
}

/** Where the merchant's charges go. */
export function GatewaysPage(): VNode {
  const may = usePermits()
  const gateways = useResource(PATH, Gateways)
  const shown = useColumns()
  const chosen = useSignal<GatewayView | null>(null)
  const { value: state } = gateways.state
  const before = state.kind === 'ready' ? state.data.find(({ is_default }) => is_default) : undefined
  const add = (
    <ButtonLink tone="primary" icon="plus" href="/gateways/new">
      {gatewayTexts.add}
    </ButtonLink>
  )
  const actions = (gateway: GatewayView) => (
    <>
      <TestButton gateway={gateway} />
      {!gateway.is_default && (
        <Button onClick={() => (chosen.value = gateway)}>{gatewayTexts.makeDefault}</Button>
      )}
    </>
  )
  return (
    <>
      <PageHeader title={gatewayTexts.title} actions={may('see_secrets') && add}>
        {gatewayTexts.description}
      </PageHeader>
      <Loaded
        of={gateways}
        isEmpty={(all) => all.length === 0}
        empty={
          <EmptyState icon="gateways" title={gatewayTexts.none.title}>
            {gatewayTexts.none.words}
          </EmptyState>
        }
      >
        {(all) => (
          <DataTable
            label={gatewayTexts.list}
            columns={shown}
            rows={all}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => `/gateways/${id}`}
            {...(may('change') ? { actionsOf: actions } : {})}
          />
        )}
      </Loaded>
      {chosen.value && (
        <DefaultDialog
          gateway={chosen.value}
          before={before}
          made={gateways.reload}
          close={() => (chosen.value = null)}
        />
      )}
    </>
  )
}
