import type { VNode } from 'preact'
import { WebhookResource, DELIVERY_STATUSES, WebhookDeliveryResource } from '../../../contract/api/webhook.ts'
import { PageHeader } from '../../shell/page-header.tsx'
import { Loaded } from '../../loading/loaded.tsx'
import { useResource } from '../../loading/use-resource.ts'
import type { PageProps } from '../../router/route.ts'
import { usePermits } from '../../session/use-view.ts'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import * as v from 'valibot'
import { useApp } from '../../app-context.ts'
import { Button } from '../../components/actions/button.tsx'
import { Badge } from '../../components/data/badge.tsx'
import type { BadgeTone } from '../../components/data/badge.tsx'
import { DataTable } from '../../components/data/data-table.tsx'
import type { Column } from '../../components/data/data-table.tsx'
import { FiltersBar } from '../../components/data/filters-bar.tsx'
import type { Filter } from '../../components/data/filters-bar.tsx'
import { Pager } from '../../components/data/pager.tsx'
import { Count } from '../../formats/count.tsx'
import { Moment } from '../../formats/moment.tsx'
import { Section } from '../../shell/section.tsx'
import { useLiveReload } from '../../live/use-live.ts'
import type { Resource } from '../../loading/resource.ts'
import { useChange } from '../../loading/use-change.ts'
import { pathWith } from '../../router/query.ts'
import { typeWords } from '../audit/words/event-words.ts'
import { webhookTexts } from './texts.ts'
import { WebhookActs } from './webhook-acts.tsx'
import { WebhookFacts } from './webhook-facts.tsx'
import { WebhookNotices } from './webhook-notices.tsx'

const BACK = { href: '/webhooks', words: webhookTexts.title }

/** One webhook: how it is set, what was sent there, and a test event for it. */
export function WebhookPage({ id }: PageProps): VNode {
  const mayChange = usePermits()('change')
  const webhook = useResource(`/v1/webhooks/${encodeURIComponent(id)}`, WebhookResource)
  const { reload } = webhook
  return (
    <>
      {webhook.state.value.kind !== 'ready' && <PageHeader title={webhookTexts.one} back={BACK} />}
      <Loaded of={webhook}>
        {(shown) => (
          <>
            <PageHeader
              title={shown.url}
              back={BACK}
              actions={mayChange && <WebhookActs webhook={shown} reload={reload} />}
            />
            <WebhookNotices webhook={shown} mayChange={mayChange} reload={reload} />
            <WebhookFacts webhook={shown} />
            <DeliveriesSection webhookId={id} />
          </>
        )}
      </Loaded>
    </>
  )
}

const Deliveries = v.array(WebhookDeliveryResource)
const texts = webhookTexts.deliveries
const { columns, states } = texts

const TONES: Readonly<Record<WebhookDeliveryResource['status'], BadgeTone>> = {
  waiting: 'wait',
  delivered: 'good',
  failed: 'bad',
}

const FILTERS: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: texts.filter,
    options: DELIVERY_STATUSES.map((value) => ({ value, words: states[value] })),
  },
]

const COLUMNS: readonly Column<WebhookDeliveryResource>[] = [
  { key: 'type', title: columns.type, cell: ({ type }) => <span title={type}>{typeWords(type)}</span> },
  { key: 'about', title: columns.about, isLong: true, cell: ({ resource_id }) => <code>{resource_id}</code> },
  {
    key: 'state',
    title: columns.state,
    isState: true,
    cell: ({ status }) => <Badge tone={TONES[status]}>{states[status]}</Badge>,
  },
  {
    key: 'attempts',
    title: columns.attempts,
    align: 'end',
    cell: ({ attempts }) => <Count count={attempts} />,
  },
  {
    key: 'last',
    title: columns.last,
    cell: ({ last_status, last_fault }) => last_fault ?? last_status ?? '',
  },
  { key: 'at', title: columns.at, cell: ({ created_at }) => <Moment at={created_at} /> },
]

/**
 * Delays before reading again after a reload that showed deliveries under way, in ms: for receivers that take their time.
 */
const LOOKED_AFTER_MS = [500, 2000, 5000, 10_000]

/**
 * Reads deliveries again as something happens, and a few times more while some are on their way. The function that is returned does so at
 * once.
 */
function useFollowed(deliveries: Resource<WebhookDeliveryResource[]>): () => Promise<void> {
  const looks = useRef(0)
  const state = deliveries.state.value
  const follow = () => {
    looks.current = 0
    return deliveries.reload()
  }
  useLiveReload(
    () => true,
    () => void follow(),
  )
  useEffect(() => {
    if (state.kind !== 'ready' || state.isReloading) return
    const wait = LOOKED_AFTER_MS[looks.current]
    if (wait === undefined || !state.data.some(({ status }) => status === 'waiting')) return
    looks.current += 1
    const timer = setTimeout(() => void deliveries.reload(), wait)
    return () => clearTimeout(timer)
  }, [deliveries, state])
  return follow
}

/** What was sent to a webhook, newest first; each can be sent again. */
function DeliveriesSection({ webhookId }: { webhookId: string }): VNode {
  const { router, toasts } = useApp()
  const mayChange = usePermits()('change')
  const { query } = router.place.value
  const path = `/v1/webhooks/${webhookId}/deliveries`
  const deliveries = useResource(
    pathWith(path, { status: query.get('status'), cursor: query.get('cursor') }),
    Deliveries,
  )
  const follow = useFollowed(deliveries)
  const { send } = useChange()
  const sentAgain = useSignal<string | null>(null)
  const resend = async (eventId: string) => {
    sentAgain.value = eventId
    const outcome = await send({ method: 'POST', path: `${path}/${eventId}/resend`, answer: v.unknown() })
    if (outcome.kind === 'done') toasts.show(texts.resent)
    else toasts.show(outcome.failure.words, { tone: 'bad' })
    await follow()
    sentAgain.value = null
  }
  const actions = ({ event_id }: WebhookDeliveryResource) => (
    <Button
      isBusy={sentAgain.value === event_id}
      isDisabled={sentAgain.value !== null}
      onClick={() => void resend(event_id)}
    >
      {texts.resend}
    </Button>
  )
  return (
    <Section title={texts.title}>
      <FiltersBar filters={FILTERS} />
      <Loaded of={deliveries}>
        {(all, { next }) => (
          <>
            {all.length === 0 ? (
              <p class="soft">{texts.none}</p>
            ) : (
              <DataTable
                label={texts.list}
                columns={COLUMNS}
                rows={all}
                keyOf={({ event_id }) => event_id}
                {...(mayChange ? { actionsOf: actions } : {})}
              />
            )}
            <Pager next={next} />
          </>
        )}
      </Loaded>
    </Section>
  )
}
