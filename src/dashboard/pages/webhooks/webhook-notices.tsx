import type { VNode } from 'preact'
import { WebhookResource } from '../../../contract/api/webhook.ts'
import { useApp } from '../../app-context.ts'
import { Button } from '../../components/actions/button.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { Notices } from '../../components/feedback/notices.tsx'
import { Moment } from '../../formats/moment.tsx'
import { useChange } from '../../loading/use-change.ts'
import { webhookTexts } from './texts.ts'

const texts = webhookTexts.notices

interface WebhookNoticesProps {
  webhook: WebhookResource
  mayChange: boolean
  reload: () => Promise<void>
}

/** What must not be missed of a webhook: that nothing is sent there, and that an old secret signs on. */
export function WebhookNotices({ webhook, mayChange, reload }: WebhookNoticesProps): VNode {
  const { toasts } = useApp()
  const { send, isSending } = useChange()
  const enable = async () => {
    const path = `/v1/webhooks/${webhook._id}`
    const body = { status: 'enabled' }
    const outcome = await send({ method: 'PATCH', path, body, answer: WebhookResource })
    if (outcome.kind === 'done') toasts.show(texts.enabled)
    else toasts.show(outcome.failure.words, { tone: 'bad' })
    await reload()
  }
  const button = (
    <Button isBusy={isSending.value} onClick={() => void enable()}>
      {texts.enable}
    </Button>
  )
  return (
    <Notices>
      {webhook.status === 'disabled' && (
        <Notice tone="warning" action={mayChange && button}>
          {texts.disabled}
        </Notice>
      )}
      {webhook.old_secret_ends_at !== null && (
        <Notice tone="info">
          {texts.oldSecret} <Moment at={webhook.old_secret_ends_at} />.
        </Notice>
      )}
    </Notices>
  )
}
