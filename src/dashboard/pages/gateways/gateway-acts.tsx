import type { VNode } from 'preact'
import * as v from 'valibot'
import { GatewayTest, GatewayView } from '../../../contract/dashboard/company/gateway.ts'
import { failureOf } from '../../api/api.ts'
import { useApp } from '../../app-context.ts'
import { Button } from '../../components/actions/button.tsx'
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx'
import { useChange } from '../../loading/use-change.ts'
import { useUndo } from '../../loading/use-undo.ts'
import { gatewayTexts } from './texts.ts'

const Gateways = v.array(GatewayView)
const PATH = '/api/gateways'

interface DefaultDialogProps {
  gateway: Pick<GatewayView, 'id' | 'name'>
  /** The default one until now, where there is one. */
  before: GatewayView | undefined
  made: () => Promise<void>
  close: () => void
}

/** Makes a gateway the default one. */
export function DefaultDialog({ gateway: { id, name }, before, made, close }: DefaultDialogProps): VNode {
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
export function TestButton({ gateway: { id, name } }: { gateway: Pick<GatewayView, 'id' | 'name'> }): VNode {
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
