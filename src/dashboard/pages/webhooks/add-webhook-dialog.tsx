import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { WebhookEventType, WebhookResource } from '../../../contract/api/webhook.ts'
import { Button } from '../../components/actions/button.tsx'
import { SecretOnce } from '../../components/data/secret-once.tsx'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { Form } from '../../components/form/form.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { useForm } from '../../components/form/use-form.ts'
import { useChange } from '../../loading/use-change.ts'
import { chosenEvents, EventChoice, eventValues } from './event-choice.tsx'
import { webhookTexts } from './texts.ts'

interface AddWebhookDialogProps {
  added: () => Promise<void>
  close: () => void
}

/** Adds a webhook, and shows once the secret that signs its messages. */
export function AddWebhookDialog({ added, close }: AddWebhookDialogProps): VNode {
  const { send } = useChange()
  const secret = useSignal<string | null>(null)
  const form = useForm<string>({
    initial: { url: 'https://', ...eventValues(WebhookEventType.options) },
    async send({ url = '', ...values }) {
      const events = chosenEvents(values)
      if (!Array.isArray(events)) return events
      const body = { url: url.trim(), events }
      const outcome = await send({ method: 'POST', path: '/v1/webhooks', body, answer: WebhookResource })
      if (outcome.kind === 'failed') return outcome.failure
      secret.value = outcome.data.secret ?? ''
      await added()
      return null
    },
  })
  if (secret.value !== null)
    return (
      <Dialog title={webhookTexts.made} close={close}>
        <SecretOnce label={webhookTexts.secret} secret={secret.value} />
        <div class="dialog-actions">
          <Button tone="primary" onClick={close}>
            {webhookTexts.done}
          </Button>
        </div>
      </Dialog>
    )
  return (
    <Dialog title={webhookTexts.add} close={close}>
      <Form
        form={form}
        submit={webhookTexts.add}
        actions={<Button onClick={close}>{webhookTexts.cancel}</Button>}
      >
        <TextField form={form} name="url" label={webhookTexts.url} inputMode="url" isCode />
        <EventChoice form={form} />
      </Form>
    </Dialog>
  )
}
