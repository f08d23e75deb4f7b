import { openOutboundPool } from '../../platform/outbound/outbound-pool.ts'
import { noRoutes } from '../../platform/domain.ts'
import type { Domain } from '../../platform/domain.ts'
import { workInBatches } from '../../platform/jobs/batches.ts'
import { PUT_RIGHT_MS, whenSetBack, whenSteady } from '../../platform/jobs/when-steady.ts'
import type { FindNeeds } from '../../platform/listing/needs-attention.ts'
import { createHttpClient, toldSend } from '../../platform/outbound/http-client.ts'
import { createNameLookup, isPublicAddress } from '../../platform/outbound/public-address.ts'
import type { Platform } from '../../platform/platform.ts'
import { tracedSend } from '../../platform/tracing.ts'
import { deliverDue } from './deliver.ts'
import type { DeliverDeps } from './deliver.ts'
import { deliveryStateOf } from './delivery.ts'
import type { DeliveryState } from './delivery.ts'
import { findFailingWebhooks, listDeliveriesAbout } from './delivery-log.ts'
import type { ListedDelivery } from './delivery-log.ts'
import {
  bringForwardDeliveries,
  countDue,
  deleteOldDeliveries,
  deleteRemovedDeliveries,
} from './delivery-store.ts'
import type { MerchantEvent, ResourcesAsOf } from './events.ts'
import { addEventRoutes, addWebhookRoutes } from './routes.ts'
import { toWebhookResource } from './webhook-resource.ts'
import { eraseEndedSecrets, findWebhook } from './webhook-store.ts'

interface Needs {
  /** What messages show, by the kind of event. A test event shows the webhook itself. */
  resourcesAsOf: Omit<ResourcesAsOf, 'test'>
  /** How long a merchant's server is waited for. */
  webhookTimeoutMs?: number | undefined
}

/** What other domains may ask of webhooks. */
interface WebhooksApi {
  failing: FindNeeds
  /** Deliveries of these events to a merchant's webhooks. */
  about: (
    merchantId: string,
    eventIds: readonly string[],
  ) => Promise<(ListedDelivery & { state: DeliveryState })[]>
}

/** Merchants' webhooks, and the delivery of events to them. */
export function webhooksDomain(platform: Platform, needs: Needs): Domain<WebhooksApi> {
  const { config, database, timeOfDay, createId, textVault, metrics } = platform
  const isSandbox = config.environment === 'sandbox'
  const deps = { database, vault: textVault, createId, isSandbox }
  const testedWebhook = async ({ subject }: MerchantEvent) => {
    const webhook = await findWebhook(database, subject)
    if (webhook === null) throw new Error(`the webhook ${subject} is gone`)
    return toWebhookResource(webhook)
  }
  const resourcesAsOf = { ...needs.resourcesAsOf, test: testedWebhook }
  metrics.watchDeliveries(() => countDue(database))
  const delivering = deliverDeps(platform, resourcesAsOf, needs.webhookTimeoutMs)
  const deleting = workInBatches([
    () => deleteOldDeliveries(database),
    () => deleteRemovedDeliveries(database),
  ])
  return {
    api: {
      failing: (merchantId) => findFailingWebhooks(database, merchantId),
      about: async (...about) =>
        (await listDeliveriesAbout(database, ...about)).map((one) => ({
          ...one,
          state: deliveryStateOf(one),
        })),
    },
    addMerchantRoutes(app, access) {
      addWebhookRoutes(app, deps, access)
      addEventRoutes(app, deps, resourcesAsOf, access)
    },
    addRoutes: noRoutes,
    jobs: [
      {
        name: 'deliver webhooks',
        everyMs: 200,
        work: () => deliverDue(delivering),
        finish: delivering.pool.finish,
        abort: delivering.pool.abort,
      },
      {
        name: 'delete old deliveries',
        everyMs: 600_000,
        work: whenSteady(timeOfDay, PUT_RIGHT_MS, deleting.work),
        abort: deleting.abort,
      },
      {
        name: 'erase ended webhook secrets',
        everyMs: 60_000,
        work: () => eraseEndedSecrets(database),
      },
      {
        name: 'bring deliveries forward',
        everyMs: 1000,
        work: whenSetBack(timeOfDay, () => bringForwardDeliveries(database)),
      },
    ],
  }
}

const WEBHOOK_TIMEOUT_MS = 15_000
/** More of an answer's body is not read: its connection is closed. */
const MAX_ANSWER_BYTES = 64 * 1024
/** How long a connection is kept for the next message to the same server: less than the 5 s after which many servers close it. */
const IDLE_MS = 4000
/** Messages that one process has under way at once. */
const WEBHOOK_SHARES = { quick: 256, slow: 64, merchant: 64, target: 32 }
/** Time for an answer, and for a few statements on a slow database: less than the minute for which a message is taken. */
const MAX_TASK_MS = 45_000

function deliverDeps(
  platform: Platform,
  resourcesAsOf: ResourcesAsOf,
  timeoutMs = WEBHOOK_TIMEOUT_MS,
): DeliverDeps {
  const { config, database, version, textVault, createId, timeOfDay, clock, log, tracer } = platform
  const mayReach = config.environment === 'sandbox' ? () => true : isPublicAddress
  const onFault = (error: unknown) => log.error({ err: error }, 'a webhook could not be sent')
  const client = createHttpClient({
    timeoutMs,
    maxBytes: MAX_ANSWER_BYTES,
    wants: 'status',
    idleMs: IDLE_MS,
    mayRepeat: true,
    mayReach,
    lookup: createNameLookup(mayReach),
    proxy: config.proxies.webhooks,
  })
  return {
    database,
    vault: textVault,
    tracer,
    send: toldSend(
      { clock, tell: (facts, words) => log.info(facts, words), whose: 'a webhook' },
      tracedSend(tracer, client),
    ),
    pool: openOutboundPool(platform, {
      kind: 'webhook',
      target: 'webhook',
      shares: WEBHOOK_SHARES,
      timeoutMs,
      deadlineMs: MAX_TASK_MS,
      onFault,
    }),
    resourcesAsOf,
    createId,
    userAgent: `svc-webhooks/${version}`,
    timeOfDay,
    clock,
    random: Math.random,
    onFault,
  }
}
