import { noRoutes } from '../../platform/domain.ts'
import type { Domain } from '../../platform/domain.ts'
import { createFairPool } from '../../platform/concurrency/fairness.ts'
import type { FairPool } from '../../platform/concurrency/fairness.ts'
import type { FindNeeds } from '../../platform/listing/needs-attention.ts'
import { workInBatches } from '../../platform/jobs/batches.ts'
import { PUT_RIGHT_MS, whenSetBack, whenSteady } from '../../platform/jobs/when-steady.ts'
import { createHttpClient } from '../../platform/outbound/http-client.ts'
import { toldSend } from '../../platform/outbound/told-send.ts'
import { tracedSend } from '../../platform/tracing.ts'
import { createNameLookup } from '../../platform/outbound/name-lookup.ts'
import { isPublicAddress } from '../../platform/outbound/public-address.ts'
import type { Platform } from '../../platform/platform.ts'
import type { WriteEvent } from '../../platform/write-event.ts'
import { bringForwardDeliveries } from './delivery/bring-forward-deliveries.ts'
import { createDelivering } from './delivery/deliver.ts'
import type { Delivering } from './delivery/deliver.ts'
import { createDeliveryLog } from './delivery/delivery-log.ts'
import { createDeliveryStore } from './delivery/delivery-store.ts'
import { createFailingWebhooks } from './delivery/failing-webhooks.ts'
import type { DeliveryStore } from './delivery/delivery-store.ts'
import type { ResourceAsOf, ResourcesAsOf } from './event-kind.ts'
import { createEventLog } from './events/event-log.ts'
import { addEventRoutes } from './events/event-routes.ts'
import { addWebhookRoutes } from './routes.ts'
import { deliveryStateOf } from './webhook.ts'
import type { Delivery, DeliveryState } from './webhook.ts'
import { toWebhookResource } from './webhook-resource.ts'
import { createWebhookStore } from './webhook-store.ts'
import type { WebhookStore } from './webhook-store.ts'
import { createWebhooks } from './webhooks.ts'

interface Needs {
  writeEvent: WriteEvent
  /** What messages show, by the kind of event; what a test shows is the webhook itself. */
  resourcesAsOf: Omit<ResourcesAsOf, 'test'>
  /** How long a merchant's server is waited for. */
  webhookTimeoutMs?: number | undefined
}

const WEBHOOK_TIMEOUT_MS = 15_000
/** What of an answer's body is read before its connection is closed. */
const MAX_ANSWER_BYTES = 64 * 1024
/** How long a connection is kept for the next message to the same server: less than the 5 s after which many servers close it. */
const IDLE_MS = 4000
/** Messages that one process has under way at once. */
const WEBHOOK_SHARES = { quick: 256, slow: 64, merchant: 64, target: 32 }
/** An answer, and a few statements on a database that is slow; less than the minute for which a message is taken. */
const MAX_TASK_MS = 45_000

/** What other domains may ask of webhooks. */
interface WebhooksApi {
  failing: FindNeeds
  /** What this merchant's webhooks were told of these events. */
  about: (
    merchantId: string,
    eventIds: readonly string[],
  ) => Promise<(Delivery & { url: string; state: DeliveryState })[]>
}

/** Merchants' webhooks, and sending events to them. */
export function webhooksDomain(platform: Platform, needs: Needs): Domain<WebhooksApi> {
  const { config, database, timeOfDay, createId, textVault, metrics } = platform
  const { writeEvent } = needs
  const isSandbox = config.environment === 'sandbox'
  const webhookStore = createWebhookStore(database, writeEvent)
  const webhooks = createWebhooks({
    store: webhookStore,
    vault: textVault,
    createId,
    isSandbox,
  })
  const store = createDeliveryStore(database, writeEvent)
  metrics.watchDeliveries(store.countDue)
  const deleting = workInBatches([store.deleteOld, store.deleteRemoved])
  const deliveries = createDeliveryLog(database, writeEvent)
  const resourcesAsOf = { ...needs.resourcesAsOf, test: asTested(webhookStore) }
  return {
    api: {
      failing: createFailingWebhooks(database),
      about: async (...about) =>
        (await deliveries.aboutEvents(...about)).map((one) => ({ ...one, state: deliveryStateOf(one) })),
    },
    addMerchantRoutes(app, access) {
      addWebhookRoutes(app, { webhooks, deliveries, createId, ...access })
      addEventRoutes(app, { events: createEventLog(database), resourcesAsOf, ...access })
    },
    addRoutes: noRoutes,
    jobs: [
      { name: 'deliver webhooks', everyMs: 200, ...composeDelivering(platform, store, needs, resourcesAsOf) },
      {
        name: 'delete old deliveries',
        everyMs: 600_000,
        work: whenSteady(timeOfDay, PUT_RIGHT_MS, deleting.work),
        abort: deleting.abort,
      },
      {
        name: 'erase ended webhook secrets',
        everyMs: 60_000,
        work: webhookStore.eraseEndedSecrets,
      },
      {
        name: 'bring deliveries forward',
        everyMs: 1000,
        work: whenSetBack(timeOfDay, () => bringForwardDeliveries(database)),
      },
    ],
  }
}

/** What a test event shows: the webhook that it is for. */
const asTested =
  ({ find }: WebhookStore): ResourceAsOf =>
  async ({ subject }) => {
    const webhook = await find(subject)
    if (webhook === null) throw new Error(`the webhook ${subject} is gone`)
    return toWebhookResource(webhook)
  }

function composeDelivering(
  platform: Platform,
  store: DeliveryStore,
  { webhookTimeoutMs = WEBHOOK_TIMEOUT_MS }: Needs,
  resourcesAsOf: ResourcesAsOf,
): Delivering {
  const { config, version, textVault, createId, timeOfDay, clock, log, tracer } = platform
  const mayReach = config.environment === 'sandbox' ? () => true : isPublicAddress
  const onFault = (error: unknown) => log.error({ err: error }, 'a webhook could not be sent')
  const client = createHttpClient({
    timeoutMs: webhookTimeoutMs,
    maxBytes: MAX_ANSWER_BYTES,
    wants: 'status',
    idleMs: IDLE_MS,
    mayRepeat: true,
    mayReach,
    lookup: createNameLookup(mayReach),
    proxy: config.proxies.webhooks,
  })
  return createDelivering({
    store,
    vault: textVault,
    tracer,
    send: toldSend(
      { clock, tell: (facts, words) => log.info(facts, words), whose: 'a webhook' },
      tracedSend(tracer, client),
    ),
    pool: deliveryPool(platform, webhookTimeoutMs, onFault),
    resourcesAsOf,
    createId,
    userAgent: `svc-webhooks/${version}`,
    timeOfDay,
    clock,
    random: Math.random,
    onFault,
  })
}

function deliveryPool(
  { clock, log, metrics }: Platform,
  timeoutMs: number,
  onFault: (error: unknown) => void,
): FairPool {
  const pool = createFairPool({
    kind: 'webhook',
    target: 'webhook',
    shares: WEBHOOK_SHARES,
    timeoutMs,
    deadlineMs: MAX_TASK_MS,
    clock,
    warn: (facts, words) => log.warn(facts, words),
    onFault,
  })
  metrics.watchOutbound(pool)
  return pool
}
