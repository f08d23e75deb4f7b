import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import * as v from 'valibot'
import { WebhookResource, WebhookEventType } from '../../../contract/api/webhook.ts'
import { Button } from '../../components/actions/button.tsx'
import { Badge } from '../../components/data/badge.tsx'
import { DataTable } from '../../components/data/data-table.tsx'
import type { Column } from '../../components/data/data-table.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Count } from '../../formats/count.tsx'
import { Moment } from '../../formats/moment.tsx'
import { PageHeader } from '../../shell/page-header.tsx'
import { Loaded } from '../../loading/loaded.tsx'
import { useResource } from '../../loading/use-resource.ts'
import { usePermits } from '../../session/use-view.ts'
import { SecretOnce } from '../../components/data/secret-once.tsx'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { Form } from '../../components/form/form.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { useForm } from '../../components/form/use-form.ts'
import { useChange } from '../../loading/use-change.ts'
import { chosenEvents, EventChoice, eventValues } from './event-choice.tsx'
import { webhookTexts } from './texts.ts'
import { isEveryEvent } from './events-by-kind.ts'

const Webhooks = v.array(WebhookResource)
const { columns } = webhookTexts

const COLUMNS: readonly Column<WebhookResource>[] = [
  { key: 'url', title: columns.url, isLong: true, cell: ({ url }) => url },
  {
    key: 'events',
    title: columns.events,
    align: 'end',
    cell: ({ events }) => (isEveryEvent(events) ? webhookTexts.all : <Count count={events.length} />),
  },
  { key: 'created', title: columns.created, cell: ({ created_at }) => <Moment at={created_at} as="date" /> },
  {
    key: 'state',
    title: columns.state,
    isState: true,
    cell: ({ status }) => (
      <Badge tone={status === 'enabled' ? 'good' : 'calm'}>{webhookTexts.states[status]}</Badge>
    ),
  },
]

/** The servers that the merchant is told by. */
export function WebhooksPage(): VNode {
  const mayChange = usePermits()('change')
  const webhooks = useResource('/v1/webhooks', Webhooks)
  const isAdding = useSignal(false)
  const add = (
    <Button tone="primary" icon="plus" onClick={() => (isAdding.value = true)}>
      {webhookTexts.add}
    </Button>
  )
  return (
    <>
      <PageHeader title={webhookTexts.title} actions={mayChange && add}>
        {webhookTexts.description}
      </PageHeader>
      <Loaded
        of={webhooks}
        isEmpty={(all) => all.length === 0}
        empty={
          <EmptyState icon="webhooks" title={webhookTexts.none.title}>
            {webhookTexts.none.words}
          </EmptyState>
        }
      >
        {(all) => (
          <DataTable
            label={webhookTexts.list}
            columns={COLUMNS}
            rows={all}
            keyOf={({ _id }) => _id}
            hrefOf={({ _id }) => `/webhooks/${_id}`}
          />
        )}
      </Loaded>
      {isAdding.value && <AddWebhookDialog added={webhooks.reload} close={() => (isAdding.value = false)} />}
    </>
  )
}

interface AddWebhookDialogProps {
  added: () => Promise<void>
  close: () => void
}

/** Adds a webhook, and shows once the secret that signs its messages. */
function AddWebhookDialog({ added, close }: AddWebhookDialogProps): VNode {
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
