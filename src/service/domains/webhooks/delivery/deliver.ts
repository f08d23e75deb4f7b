import type { TimeOfDay } from '../../../platform/clocks.ts'
import type { CreateId } from '../../../platform/identifiers.ts'
import type { FairPool } from '../../../platform/jobs/fair-pool.ts'
import type { Tracer } from '../../../platform/tracing/tracer.ts'
import type { SendRequest } from '../../../platform/outbound/http-client.ts'
import { codeOf } from '../../../platform/outbound/no-answer.ts'
import type { TextVault } from '../../../platform/vault/sealed-text.ts'
import { taskOf } from './delivery-store.ts'
import type { DeliveryStore, Failure } from './delivery-store.ts'
import { retryDelay } from './retry-delay.ts'
import { signedHeaders } from './signature.ts'
import { messageOf } from '../event-kind.ts'
import type { ResourcesAsOf } from '../event-kind.ts'
import { placeOf } from '../webhook.ts'
import type { DueDelivery } from '../webhook.ts'

export interface DeliverParts {
  store: DeliveryStore
  vault: TextVault
  send: SendRequest
  pool: FairPool
  resourcesAsOf: ResourcesAsOf
  createId: CreateId
  /** As what the service names itself to merchants' servers. */
  userAgent: string
  timeOfDay: TimeOfDay
  /** From 0 to 1. */
  random: () => number
  onFault: (error: unknown) => void
  /** Null where nothing is traced. */
  tracer: Tracer | null
}

/** Sends events to webhooks, each at least once, at any number of processes at once. */
export interface Delivering {
  /** Takes what is due and starts to send it, and goes on while much is due. */
  work: () => Promise<void>
  /** Waits for what is under way. */
  finish: () => Promise<void>
  /** Cuts short what is under way, which then is due again, and begins nothing more. */
  abort: () => void
}

/** Where fewer messages are due, the job's next run is soon enough for those that come meanwhile. */
const FEW = 16
/** As long as this is waited at most for half of what was begun, before more is begun. */
const MOST_WAIT_MS = 200
/** After so many rounds the run is over, as every job's run has an end; the next one follows. */
const MOST_ROUNDS = 100

export function createDelivering(parts: DeliverParts): Delivering {
  const { store, pool } = parts
  const begin = async () => {
    const capacity = pool.capacity()
    if (capacity.most === 0) return 0
    const chosen = pool.choose(await store.findDue(capacity))
    if (chosen.length === 0) return 0
    const taken = await store.take(chosen)
    for (const delivery of taken)
      pool.start(taskOf(delivery), (signal) =>
        traced(parts.tracer, delivery, () => deliver(parts, delivery, signal)),
      )
    return taken.length
  }
  return {
    async work() {
      for (let round = 0; round < MOST_ROUNDS; round += 1) {
        const begun = await begin()
        if (begun < FEW) return
        await pool.untilEnded(Math.ceil(begun / 2), MOST_WAIT_MS)
      }
    },
    finish: pool.finish,
    abort: pool.abort,
  }
}

/** Begins a trace: the request that made the event may have ended hours ago, at another process. Both have the resource's id. */
async function traced(
  tracer: Tracer | null,
  { event, attempts }: DueDelivery,
  work: () => Promise<boolean>,
): Promise<boolean> {
  if (tracer === null) return work()
  const span = tracer.begin('client', `webhook ${event.type}`, null)
  span.add({ 'svc.event_id': event.id, 'svc.resource_id': event.subject, 'svc.attempt': attempts })
  try {
    const isTaken = await tracer.within(span, work)
    span.end({ hasFailed: !isTaken })
    return isTaken
  } catch (error) {
    span.end({ hasFailed: true })
    throw error
  }
}

/** Makes one attempt, signed anew, and records how it ended. True if the server took the message, or wants no more (410). */
async function deliver(parts: DeliverParts, delivery: DueDelivery, signal: AbortSignal): Promise<boolean> {
  const { store, createId, random } = parts
  const status = await post(parts, delivery, signal)
  const isTaken = typeof status === 'number' && status >= 200 && status < 300
  if (isTaken) await store.delivered(delivery, status)
  else if (status === 410) await store.disable(delivery, createId())
  else if (typeof status !== 'number' && signal.aborted) await store.giveBack(delivery)
  else await store.failed(delivery, failureOf(status), retryDelay(delivery.attempts, random))
  return isTaken || status === 410
}

function failureOf(status: number | { fault: string }): Failure {
  return typeof status === 'number'
    ? { status, fault: `the server said ${String(status)}` }
    : { status: null, ...status }
}

async function post(
  { send, vault, resourcesAsOf, timeOfDay, userAgent, onFault }: DeliverParts,
  { webhook, event }: DueDelivery,
  signal: AbortSignal,
): Promise<number | { fault: string }> {
  let message: { headers: Record<string, string>; body: string }
  try {
    if (webhook.secrets.length === 0) throw new Error(`the secret of the webhook ${webhook.id} is lost`)
    const timestamp = Math.floor(timeOfDay.epochMs() / 1000)
    const body = JSON.stringify(await messageOf(resourcesAsOf, event))
    const secrets = await Promise.all(webhook.secrets.map((secret) => vault.open(secret, placeOf(webhook))))
    const signed = signedHeaders(secrets, { id: event.id, timestamp, body })
    message = { body, headers: { ...signed, 'user-agent': userAgent } }
  } catch (error) {
    onFault(error)
    return { fault: "the message could not be made: the service's log says why" }
  }
  return send({ url: webhook.url, ...message, signal }).then(
    ({ status }) => status,
    (error: unknown) => ({ fault: wordsOf(codeOf(error)) }),
  )
}

const WORDS: Readonly<Record<string, string>> = {
  TIMED_OUT: 'no answer in time',
  NOT_PUBLIC: 'the address is not a public one',
  UPGRADED: 'the server switched protocols',
  TOO_MANY_INTERIM_ANSWERS: 'the server sent too many interim answers (1xx)',
  CLOSED: 'the server closed the connection',
}

/** What may be told of a failed attempt: words or a stable code, no address that was resolved. */
function wordsOf(code: string): string {
  return WORDS[code] ?? code
}
