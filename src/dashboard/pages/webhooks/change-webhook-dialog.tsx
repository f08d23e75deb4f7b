import type { VNode } from 'preact'
import { WebhookResource } from '../../../contract/api/webhook.ts'
import { failureOf } from '../../api/api.ts'
import { useApp } from '../../app-context.ts'
import { Button } from '../../components/actions/button.tsx'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { Form } from '../../components/form/form.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { useForm } from '../../components/form/use-form.ts'
import { useChange } from '../../loading/use-change.ts'
import { chosenEvents, EventChoice, eventValues } from './event-choice.tsx'
import { webhookTexts } from './texts.ts'

interface ChangeWebhookDialogProps {
  webhook: WebhookResource
  changed: () => Promise<void>
  close: () => void
}

/** Changes where a webhook is, and what it is told of. */
export function ChangeWebhookDialog({ webhook, changed, close }: ChangeWebhookDialogProps): VNode {
  const { toasts } = useApp()
  const { send } = useChange()
  const form = useForm<string>({
    initial: { url: webhook.url, ...eventValues(webhook.events) },
    async send({ url = '', ...values }) {
      const events = chosenEvents(values)
      if (!Array.isArray(events)) return events
      const body = { url: url.trim(), events }
      const path = `/v1/webhooks/${webhook._id}`
      const outcome = await send({ method: 'PATCH', path, body, answer: WebhookResource })
      if (outcome.kind === 'done') {
        toasts.show(webhookTexts.changed)
        await changed()
        close()
      }
      return failureOf(outcome)
    },
  })
  return (
    <Dialog title={webhookTexts.changeTitle} close={close}>
      <Form
        form={form}
        submit={webhookTexts.save}
        actions={<Button onClick={close}>{webhookTexts.cancel}</Button>}
      >
        <TextField form={form} name="url" label={webhookTexts.url} inputMode="url" isCode />
        <EventChoice form={form} />
      </Form>
    </Dialog>
  )
}
