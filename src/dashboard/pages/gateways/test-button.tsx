import type { VNode } from 'preact'
import { GatewayTest } from '../../../contract/dashboard/company/gateway.ts'
import type { GatewayView } from '../../../contract/dashboard/company/gateway.ts'
import { useApp } from '../../app-context.ts'
import { Button } from '../../components/actions/button.tsx'
import { useChange } from '../../loading/use-change.ts'
import { gatewayTexts } from './texts.ts'

/** Asks a gateway whether it lets the merchant in, and says what it has answered. */
export function TestButton({ gateway: { id, name } }: { gateway: GatewayView }): VNode {
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
