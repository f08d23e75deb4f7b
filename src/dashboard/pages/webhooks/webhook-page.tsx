import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import * as v from 'valibot'
import { WebhookResource } from '../../../contract/api/webhook.ts'
import { failureOf } from '../../api/api.ts'
import { useApp } from '../../app-context.ts'
import { Button } from '../../components/actions/button.tsx'
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx'
import { PageHeader } from '../../frame/page-header.tsx'
import { Loaded } from '../../loading/loaded.tsx'
import { useChange } from '../../loading/use-change.ts'
import { useResource } from '../../loading/use-resource.ts'
import type { PageProps } from '../../router/route.ts'
import { usePermits } from '../../session/use-view.ts'
import { DeliveriesSection } from './deliveries-section.tsx'
import { webhookTexts } from './texts.ts'

const BACK = { href: '/webhooks', words: webhookTexts.title }

/** One webhook: what was sent there, and a test event for it. */
export function WebhookPage({ id }: PageProps): VNode {
  const { router, toasts } = useApp()
  const mayChange = usePermits()('change')
  const path = `/v1/webhooks/${encodeURIComponent(id)}`
  const webhook = useResource(path, WebhookResource)
  const { send, isSending } = useChange()
  const isRemoving = useSignal(false)
  const test = async () => {
    const outcome = await send({ method: 'POST', path: `${path}/test`, answer: v.unknown() })
    if (outcome.kind === 'done') toasts.show(webhookTexts.tested)
    else toasts.show(outcome.failure.words, { tone: 'bad' })
  }
  const remove = async () => {
    const outcome = await send({ method: 'DELETE', path, answer: v.unknown() })
    if (outcome.kind === 'done') {
      toasts.show(webhookTexts.removed)
      router.go('/webhooks')
    }
    return failureOf(outcome)
  }
  const actions = (
    <>
      <Button isBusy={isSending.value} onClick={() => void test()}>
        {webhookTexts.test}
      </Button>
      <Button onClick={() => (isRemoving.value = true)}>{webhookTexts.remove}</Button>
    </>
  )
  return (
    <>
      {webhook.state.value.kind !== 'ready' && <PageHeader title={webhookTexts.one} back={BACK} />}
      <Loaded of={webhook}>
        {({ url }) => (
          <>
            <PageHeader title={url} back={BACK} actions={mayChange && actions} />
            <DeliveriesSection webhookId={id} />
            {isRemoving.value && (
              <ConfirmDialog
                title={webhookTexts.removeTitle}
                confirm={webhookTexts.remove}
                act={remove}
                close={() => (isRemoving.value = false)}
              >
                {webhookTexts.removeWords}
              </ConfirmDialog>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}
