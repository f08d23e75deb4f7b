import type { MonotonicClock, TimeOfDay } from '../../platform/clocks.ts'
import type { FairPool } from '../../platform/concurrency/fairness.ts'
import type { Database } from '../../platform/database/database.ts'
import type { CreateId } from '../../platform/identifiers.ts'
import type { SendRequest } from '../../platform/outbound/http-client.ts'
import { codeOf } from '../../platform/outbound/no-answer.ts'
import type { Tracer } from '../../platform/tracing.ts'
import type { TextVault } from '../../platform/vault/vault.ts'
import { faultOf, retryDelay } from './delivery.ts'
import type { DueDelivery, Failure } from './delivery.ts'
import {
  disableAfterGone,
  findDue,
  giveBack,
  recordDelivered,
  recordFailed,
  takeDue,
  taskOf,
} from './delivery-store.ts'
import type { DueTask } from './delivery-store.ts'
import { contentOf } from './events.ts'
import type { ResourcesAsOf } from './events.ts'
import { signedHeaders } from './signature.ts'
import { placeOf } from './webhook.ts'

/** What sending messages needs. */
export interface DeliverDeps {
  database: Database
  vault: TextVault
  resourcesAsOf: ResourcesAsOf
  send: SendRequest
  /** What is under way; each merchant and each webhook has a share of it. */
  pool: FairPool
  createId: CreateId
  clock: MonotonicClock
  timeOfDay: TimeOfDay
  /** From 0 to 1. */
  random: () => number
  /** The `User-Agent` of messages. */
  userAgent: string
  onFault: (error: unknown) => void
  /** Null if nothing is traced. */
  tracer: Tracer | null
}

/** A run ends after this many rounds, as the run of every job must; the next run follows. */
const MAX_ROUNDS = 100
/** With fewer due messages than this the run ends: those that come meanwhile can wait for the next run. */
const TOO_FEW_TO_GO_ON = 16

/**
 * Sends due messages to webhooks, each at least once. Any number of processes may do so at once. Messages still under way at the end go
 * on in the pool.
 *
 * 1. Find what is due, and choose from it what the pool has slots for.
 * 2. Take the chosen ones: no other process sends them for a minute.
 * 3. Make each message, post it, and record the outcome.
 */
export async function deliverDue(deps: DeliverDeps): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) if ((await startDue(deps)) < TOO_FEW_TO_GO_ON) return
}

/**
 * How long a list of due messages is used before it is read again, in ms: reading it for every webhook costs as much as 50
 * messages.
 */
const FRESH_MS = 200
/** More messages are started when this many have ended. */
const ENDED_BEFORE_MORE = 16

/** Starts due messages that get a slot within `FRESH_MS`; returns how many. */
async function startDue(deps: DeliverDeps): Promise<number> {
  const { database, pool, clock } = deps
  const foundAt = clock.elapsedMs()
  const leftMs = () => FRESH_MS - (clock.elapsedMs() - foundAt)
  let due = pool.capacity().max === 0 ? [] : await findDue(database, pool.outlook())
  const begun = []
  // At least once: if the database is slow, the list may be old when it comes.
  for (let isFresh = true; isFresh && due.length > 0; isFresh = leftMs() > 0) {
    const chosen = new Set(pool.choose(due))
    if (chosen.size > 0) begun.push(start(deps, [...chosen]))
    else if (pool.underWay() === 0) break
    due = due.filter((task) => !chosen.has(task))
    if (due.length > 0) await pool.untilEnded(ENDED_BEFORE_MORE, Math.max(0, leftMs()))
  }
  return (await Promise.all(begun)).reduce((sum, { size }) => sum + size, 0)
}

/** A delivery that this process took, and the promise of its message. */
interface Taken {
  delivery: DueDelivery
  makingMessage: Promise<Message | Fault>
}

/** Gives each task its slot at once, so that others can be chosen while the database still marks these as taken. */
function start(deps: DeliverDeps, chosen: readonly DueTask[]): Promise<ReadonlyMap<string, Taken>> {
  const taking = take(deps, chosen)
  for (const task of chosen) {
    const work = async (signal: AbortSignal) => {
      const taken = (await taking.catch(() => null))?.get(task.id)
      return taken === undefined ? null : traced(deps, taken, signal)
    }
    deps.pool.start(task, work, taking)
  }
  return taking
}

/** Takes deliveries for this process and begins to make their messages; by the ids of their tasks. */
async function take(deps: DeliverDeps, chosen: readonly DueTask[]): Promise<ReadonlyMap<string, Taken>> {
  const secretsOf = openOnce(deps.vault)
  const taken = (await takeDue(deps.database, chosen)).map((delivery) => ({
    delivery,
    makingMessage: makeMessage(deps, delivery, secretsOf(delivery.webhook)),
  }))
  return new Map(taken.map((one) => [taskOf(one.delivery).id, one]))
}

/**
 * Delivers within a trace of its own: the request that made the event may have ended hours ago, in another process. Both traces
 * carry the resource's id.
 */
async function traced(deps: DeliverDeps, taken: Taken, signal: AbortSignal): Promise<boolean> {
  if (deps.tracer === null) return deliver(deps, taken, signal)
  const { event, attempts } = taken.delivery
  const span = deps.tracer.begin('client', `webhook ${event.type}`, null)
  span.add({ 'svc.event_id': event.id, 'svc.resource_id': event.subject, 'svc.attempt': attempts })
  try {
    const isAccepted = await span.within(() => deliver(deps, taken, signal))
    span.end({ hasFailed: !isAccepted })
    return isAccepted
  } catch (error) {
    span.end({ hasFailed: true })
    throw error
  }
}

/** Makes one attempt and records the outcome. True if the server took the message, or said 410 and gets no more. */
async function deliver(
  deps: DeliverDeps,
  { delivery, makingMessage }: Taken,
  signal: AbortSignal,
): Promise<boolean> {
  const { database, createId, random } = deps
  const status = await post(deps, delivery, await makingMessage, signal)
  if (typeof status === 'number' && status >= 200 && status < 300) {
    await recordDelivered(database, delivery, status)
    return true
  }
  if (status === 410 && (await disableAfterGone(database, delivery, createId()))) return true
  if (typeof status !== 'number' && signal.aborted) await giveBack(database, delivery)
  else await recordFailed(database, delivery, failureOf(status), retryDelay(delivery.attempts, random))
  return false
}

interface Message {
  headers: Record<string, string>
  body: string
}
interface Fault {
  fault: string
}

async function post(
  { send }: DeliverDeps,
  { webhook }: DueDelivery,
  message: Message | Fault,
  signal: AbortSignal,
): Promise<number | Fault> {
  if ('fault' in message) return message
  return send({ url: webhook.url, ...message, signal }).then(
    ({ status }) => status,
    (error: unknown) => ({ fault: faultOf(codeOf(error)) }),
  )
}

function failureOf(status: number | Fault): Failure {
  return typeof status === 'number'
    ? { status, fault: `the server said ${String(status)}` }
    : { status: null, ...status }
}

/** Makes the message of an event, signed anew for each attempt. */
async function makeMessage(
  { resourcesAsOf, timeOfDay, userAgent, onFault }: DeliverDeps,
  { webhook, event }: DueDelivery,
  opening: Promise<string[]>,
): Promise<Message | Fault> {
  try {
    const [content, secrets] = await Promise.all([contentOf(resourcesAsOf, event), opening])
    if (secrets.length === 0) throw new Error(`the secret of the webhook ${webhook.id} is lost`)
    const timestamp = Math.floor(timeOfDay.epochMs() / 1000)
    const body = JSON.stringify(content)
    const signed = signedHeaders(secrets, { id: event.id, timestamp, body })
    return { body, headers: { ...signed, 'user-agent': userAgent } }
  } catch (error) {
    onFault(error)
    return { fault: "the message could not be made: the service's log says why" }
  }
}

/**
 * Opens the secrets of each webhook once for all messages of one batch, as each opening may be a call to a key service. The
 * returned function holds them and nothing else does.
 */
export function openOnce(vault: TextVault): (webhook: DueDelivery['webhook']) => Promise<string[]> {
  const opened = new Map<string, Promise<string[]>>()
  return (webhook) => {
    const open = () => Promise.all(webhook.secrets.map((secret) => vault.open(secret, placeOf(webhook))))
    const secrets = opened.get(webhook.id) ?? open()
    opened.set(webhook.id, secrets)
    return secrets
  }
}
