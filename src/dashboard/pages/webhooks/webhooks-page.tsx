import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import * as v from 'valibot'
import { WebhookResource } from '../../../contract/api/webhook.ts'
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
import { AddWebhookDialog } from './add-webhook-dialog.tsx'
import { isEveryEvent } from './events-by-kind.ts'
import { webhookTexts } from './texts.ts'

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
