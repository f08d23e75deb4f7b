import type { Logger } from 'pino'
import type { FastifyInstance } from 'fastify'
import type { MonotonicClock } from './platform/clocks.ts'
import type { Config } from './config.ts'
import { toChargeResource } from './domains/charges/charge-resource.ts'
import type { ChargeStore } from './domains/charges/charge-store.ts'
import { movementAsOf } from './domains/charges/movement-as-of.ts'
import type { Database } from './platform/database/database.ts'
import type { DatabaseClock } from './platform/database/database-clock.ts'
import { createEventLog } from './domains/events/event-log.ts'
import { sealEvents } from './domains/events/seal-events.ts'
import { writeEvent } from './domains/events/write-event.ts'
import type { Authenticate } from './platform/http/authenticate.ts'
import type { AnswerOnce } from './platform/idempotency/answer-once.ts'
import type { CreateId } from './platform/identifiers.ts'
import { createFairPool } from './platform/jobs/fair-pool.ts'
import type { FairPool } from './platform/jobs/fair-pool.ts'
import type { Chore } from './platform/jobs/repeat.ts'
import { PUT_RIGHT_MS, whenSetBack, whenSteady } from './platform/jobs/when-steady.ts'
import type { Metrics } from './platform/metrics/metrics.ts'
import { createHttpClient } from './platform/outbound/http-client.ts'
import { createNameLookup } from './platform/outbound/name-lookup.ts'
import { createTextVault } from './platform/vault/sealed-text.ts'
import type { MasterKeys } from './platform/vault/master-keys.ts'
import { createDelivering } from './domains/webhooks/deliver.ts'
import { createDeliveryLog } from './domains/webhooks/delivery-log.ts'
import { addDeliveries } from './domains/webhooks/delivery-sql.ts'
import { createDeliveryStore } from './domains/webhooks/delivery-store.ts'
import { isPublicAddress } from './domains/webhooks/public-address.ts'
import { bringForwardDeliveries } from './domains/webhooks/bring-forward-deliveries.ts'
import { addWebhookRoutes } from './domains/webhooks/routes.ts'
import { createWebhookStore } from './domains/webhooks/webhook-store.ts'
import { createWebhooks } from './domains/webhooks/webhooks.ts'

interface Parts {
  config: Config
  database: Database
  masterKeys: MasterKeys
  log: Logger
  clock: MonotonicClock
  timeOfDay: DatabaseClock
  createId: CreateId
  chargeStore: Pick<ChargeStore, 'find'>
  authenticate: Authenticate<{ id: string }>
  metrics: Pick<Metrics, 'watchOutbound' | 'watchDeliveries'>
  answerOnce: AnswerOnce
  /** How long a merchant's server is waited for. */
  webhookTimeoutMs?: number
}

const WEBHOOK_TIMEOUT_MS = 15_000
/** What of an answer's body is read before its connection is closed. */
const MOST_ANSWER_BYTES = 64 * 1024
/** Messages that one process has under way at once. */
const WEBHOOK_SHARES = { quick: 256, slow: 64, merchant: 64, target: 32 }
/** An answer, and a few statements on a database that is slow; less than the minute for which a message is taken. */
const MOST_TASK_MS = 45_000

/** Adds the webhooks' routes; answers with what seals events and sends them. */
export function composeWebhooks(app: FastifyInstance, parts: Parts): Chore[] {
  const { config, database, log, timeOfDay, createId, authenticate, answerOnce, metrics } = parts
  const vault = createTextVault(() => parts.masterKeys)
  const isSandbox = config.environment === 'sandbox'
  const store = createWebhookStore(database, writeEvent)
  addWebhookRoutes(app, {
    webhooks: createWebhooks({ store, vault, createId, isSandbox }),
    deliveries: createDeliveryLog(database, writeEvent),
    authenticate,
    answerOnce,
  })
  const onFault = (error: unknown) => log.error({ err: error }, 'a webhook could not be sent')
  const deliveries = createDeliveryStore(database, writeEvent)
  const timeoutMs = parts.webhookTimeoutMs ?? WEBHOOK_TIMEOUT_MS
  const mayReach = isSandbox ? () => true : isPublicAddress
  const pool = deliveryPool(parts, timeoutMs, onFault)
  metrics.watchOutbound(pool)
  metrics.watchDeliveries(deliveries.countDue)
  const delivering = createDelivering({
    store: deliveries,
    vault,
    send: createHttpClient({
      timeoutMs,
      mostBytes: MOST_ANSWER_BYTES,
      wants: 'status',
      keepsConnections: false,
      mayReach,
      lookup: createNameLookup(mayReach),
    }),
    pool,
    resourceAsOf: (event) => chargeAsOf(parts.chargeStore, event),
    createId,
    timeOfDay,
    random: Math.random,
    onFault,
  })
  const events = createEventLog(database, addDeliveries)
  return [
    { name: 'seal events', everyMs: 200, work: () => sealEvents(events) },
    { name: 'deliver webhooks', everyMs: 200, ...delivering },
    {
      name: 'delete old deliveries',
      everyMs: 3_600_000,
      work: whenSteady(timeOfDay, PUT_RIGHT_MS, deliveries.deleteOld),
    },
    {
      name: 'bring deliveries forward',
      everyMs: 1000,
      work: whenSetBack(timeOfDay, () => bringForwardDeliveries(database)),
    },
    {
      name: 'say where the audit log ends',
      everyMs: 3_600_000,
      work: async () => {
        const { length, hash } = await events.head()
        log.info({ length, hash: hash.toString('hex') }, 'the audit log ends here')
      },
    },
  ]
}

function deliveryPool(
  { clock, log }: Pick<Parts, 'clock' | 'log'>,
  timeoutMs: number,
  onFault: (error: unknown) => void,
): FairPool {
  return createFairPool({
    kind: 'webhook',
    target: 'webhook',
    shares: WEBHOOK_SHARES,
    timeoutMs,
    deadlineMs: MOST_TASK_MS,
    clock,
    warn: (facts, words) => log.warn(facts, words),
    onFault,
  })
}

/** The charge of an event on the wire; an event of a charge bears the id of the attempt that it is about. */
async function chargeAsOf(
  store: Pick<ChargeStore, 'find'>,
  { id, subject }: { id: string; subject: string },
): Promise<object> {
  const charge = await store.find(subject)
  const attempt = charge?.attempts.find((one) => one.id === id)
  if (charge === null || attempt === undefined) throw new Error(`event ${id} is of no charge`)
  return toChargeResource(movementAsOf(charge, attempt).charge)
}
