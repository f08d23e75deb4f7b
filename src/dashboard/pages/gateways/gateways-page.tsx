import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import * as v from 'valibot'
import { GatewayView, GatewayTest } from '../../../contract/dashboard/company/gateway.ts'
import { failureOf } from '../../api/api.ts'
import { useApp } from '../../app-context.ts'
import { Button } from '../../components/actions/button.tsx'
import { Badge } from '../../components/data/badge.tsx'
import { DataTable } from '../../components/data/data-table.tsx'
import type { Column } from '../../components/data/data-table.tsx'
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { PageHeader } from '../../shell/page-header.tsx'
import { Loaded } from '../../loading/loaded.tsx'
import { useChange } from '../../loading/use-change.ts'
import { useUndo } from '../../loading/use-undo.ts'
import { useResource } from '../../loading/use-resource.ts'
import { usePermits } from '../../session/use-view.ts'
import { AddGatewayDialog } from './add-gateway-dialog.tsx'
import { gatewayTexts } from './texts.ts'

const Gateways = v.array(GatewayView)
const PATH = '/api/gateways'
const TYPES: Readonly<Record<string, string>> = gatewayTexts.types
const { columns } = gatewayTexts

const COLUMNS: readonly Column<GatewayView>[] = [
  { key: 'name', title: columns.name, cell: ({ name }) => name },
  { key: 'type', title: columns.type, cell: ({ type }) => TYPES[type] ?? type },
  {
    key: 'credentials',
    title: columns.credentials,
    cell: ({ has_credentials }) => (has_credentials ? gatewayTexts.stored : gatewayTexts.notNeeded),
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

/** Where the merchant's charges go. */
export function GatewaysPage(): VNode {
  const may = usePermits()
  const gateways = useResource(PATH, Gateways)
  const isAdding = useSignal(false)
  const chosen = useSignal<GatewayView | null>(null)
  const { value: state } = gateways.state
  const before = state.kind === 'ready' ? state.data.find(({ is_default }) => is_default) : undefined
  const add = (
    <Button tone="primary" icon="plus" onClick={() => (isAdding.value = true)}>
      {gatewayTexts.add}
    </Button>
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
            columns={COLUMNS}
            rows={all}
            keyOf={({ id }) => id}
            {...(may('change') ? { actionsOf: actions } : {})}
          />
        )}
      </Loaded>
      {isAdding.value && <AddGatewayDialog added={gateways.reload} close={() => (isAdding.value = false)} />}
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

interface DefaultDialogProps {
  gateway: GatewayView
  /** The default one until now, where there is one. */
  before: GatewayView | undefined
  made: () => Promise<void>
  close: () => void
}

/** Makes a gateway the default one. */
function DefaultDialog({ gateway: { id, name }, before, made, close }: DefaultDialogProps): VNode {
  const { send } = useChange()
  const { toasts } = useApp()
  const show = useUndo()
  const body = { is_default: true }
  const act = async () => {
    const outcome = await send({ method: 'PATCH', path: `${PATH}/${id}`, body, answer: v.unknown() })
    if (outcome.kind === 'done') {
      await made()
      if (before === undefined) toasts.show(gatewayTexts.defaulted(name))
      else
        show(gatewayTexts.defaulted(name), {
          path: PATH,
          schema: Gateways,
          isStill: (all) => all.some((one) => one.id === id && one.is_default),
          back: { method: 'PATCH', path: `${PATH}/${before.id}`, body },
          undone: made,
        })
    }
    return failureOf(outcome)
  }
  return (
    <ConfirmDialog
      title={gatewayTexts.defaultTitle(name)}
      confirm={gatewayTexts.makeDefault}
      tone="primary"
      act={act}
      close={close}
    >
      {gatewayTexts.defaultWords}
    </ConfirmDialog>
  )
}

/** Asks a gateway whether it lets the merchant in, and says what it has answered. */
function TestButton({ gateway: { id, name } }: { gateway: GatewayView }): VNode {
  const { toasts } = useApp()
  const { send, isSending } = useChange()
  const test = async () => {
    const outcome = await send({ method: 'POST', path: `/api/gateways/${id}/test`, answer: GatewayTest })
    if (outcome.kind === 'failed') toasts.show(outcome.failure.words, { tone: 'bad' })
    else toasts.show(`${name}: ${outcome.data.message}`, { tone: outcome.data.ok ? 'good' : 'bad' })
  }
  return (
    <Button isBusy={isSending.value} onClick={() => void test()}>
      {isSending.value ? gatewayTexts.testing : gatewayTexts.test}
    </Button>
  )
}
