import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import * as v from 'valibot'
import { WebhookResource } from '../../../contract/api/webhook.ts'
import { failureOf } from '../../api/api.ts'
import { useApp } from '../../app-context.ts'
import { Button } from '../../components/actions/button.tsx'
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx'
import { useChange } from '../../loading/use-change.ts'
import { RollDialog } from '../security/roll-dialog.tsx'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { Form } from '../../components/form/form.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { useForm } from '../../components/form/use-form.ts'
import { chosenEvents, EventChoice, eventValues } from './event-choice.tsx'
import { webhookTexts } from './texts.ts'

interface WebhookActsProps {
  webhook: WebhookResource
  reload: () => Promise<void>
}

/** The buttons of one webhook, with the dialogs that they open. */
export function WebhookActs({ webhook, reload }: WebhookActsProps): VNode {
  const { toasts } = useApp()
  const { send, isSending } = useChange()
  const opened = useSignal<'change' | 'roll' | 'disable' | 'remove' | null>(null)
  const close = () => (opened.value = null)
  const path = `/v1/webhooks/${webhook._id}`
  const test = async () => {
    const outcome = await send({ method: 'POST', path: `${path}/test`, answer: v.unknown() })
    if (outcome.kind === 'done') toasts.show(webhookTexts.tested)
    else toasts.show(outcome.failure.words, { tone: 'bad' })
  }
  const isEnabled = webhook.status === 'enabled'
  return (
    <>
      {isEnabled && (
        <Button isBusy={isSending.value} onClick={() => void test()}>
          {webhookTexts.test}
        </Button>
      )}
      <Button onClick={() => (opened.value = 'change')}>{webhookTexts.change}</Button>
      <Button onClick={() => (opened.value = 'roll')}>{webhookTexts.roll}</Button>
      {isEnabled && <Button onClick={() => (opened.value = 'disable')}>{webhookTexts.disable}</Button>}
      <Button onClick={() => (opened.value = 'remove')}>{webhookTexts.remove}</Button>
      {opened.value === 'change' && <ChangeWebhookDialog webhook={webhook} changed={reload} close={close} />}
      {opened.value === 'roll' && <RollSecretDialog path={path} rolled={reload} close={close} />}
      {opened.value === 'disable' && <DisableDialog path={path} disabled={reload} close={close} />}
      {opened.value === 'remove' && <RemoveDialog path={path} close={close} />}
    </>
  )
}

interface ActProps {
  path: string
  close: () => void
}

function RollSecretDialog({ path, rolled, close }: ActProps & { rolled: () => Promise<void> }): VNode {
  const { send } = useChange()
  const roll = async (overlapSeconds: number) => {
    const body = { overlap_seconds: overlapSeconds }
    const outcome = await send({ method: 'POST', path: `${path}/secret`, body, answer: WebhookResource })
    if (outcome.kind === 'failed') return { failure: outcome.failure }
    await rolled()
    return { made: outcome.data.secret ?? '' }
  }
  return (
    <RollDialog
      title={webhookTexts.rollTitle}
      submit={webhookTexts.roll}
      label={webhookTexts.rolled}
      roll={roll}
      close={close}
    >
      {webhookTexts.rollWords}
    </RollDialog>
  )
}

function DisableDialog({ path, disabled, close }: ActProps & { disabled: () => Promise<void> }): VNode {
  const { send } = useChange()
  const disable = async () => {
    const body = { status: 'disabled' }
    const outcome = await send({ method: 'PATCH', path, body, answer: WebhookResource })
    if (outcome.kind === 'done') await disabled()
    return failureOf(outcome)
  }
  return (
    <ConfirmDialog
      title={webhookTexts.disableTitle}
      confirm={webhookTexts.disable}
      act={disable}
      close={close}
    >
      {webhookTexts.disableWords}
    </ConfirmDialog>
  )
}

function RemoveDialog({ path, close }: ActProps): VNode {
  const { router, toasts } = useApp()
  const { send } = useChange()
  const remove = async () => {
    const outcome = await send({ method: 'DELETE', path, answer: v.unknown() })
    if (outcome.kind === 'done') {
      toasts.show(webhookTexts.removed)
      router.go('/webhooks')
    }
    return failureOf(outcome)
  }
  return (
    <ConfirmDialog title={webhookTexts.removeTitle} confirm={webhookTexts.remove} act={remove} close={close}>
      {webhookTexts.removeWords}
    </ConfirmDialog>
  )
}

interface ChangeWebhookDialogProps {
  webhook: WebhookResource
  changed: () => Promise<void>
  close: () => void
}

/** Changes where a webhook is, and what it is told of. */
function ChangeWebhookDialog({ webhook, changed, close }: ChangeWebhookDialogProps): VNode {
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
