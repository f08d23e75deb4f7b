import type { MonotonicClock } from '../../../platform/clocks.ts'
import type { CreateId } from '../../../platform/identifiers.ts'
import type { FairPool } from '../../../platform/concurrency/fairness.ts'
import type { Tracer } from '../../../platform/tracing.ts'
import type { SendRequest } from '../../../platform/outbound/http-client.ts'
import { codeOf, isProxyCode } from '../../../platform/outbound/no-answer.ts'
import type { TextVault } from '../../../platform/vault/sealed-text.ts'
import { taskOf } from './delivery-store.ts'
import type { DeliveryStore, DueTask, Failure } from './delivery-store.ts'
import { makeMessage, openOnce } from './message.ts'
import type { Fault, Message, MessageParts } from './message.ts'
import { retryDelay } from './retry-delay.ts'
import type { DueDelivery } from '../webhook.ts'

export interface DeliverParts extends MessageParts {
  store: DeliveryStore
  vault: TextVault
  send: SendRequest
  pool: FairPool
  createId: CreateId
  clock: MonotonicClock
  /** From 0 to 1. */
  random: () => number
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

/** With fewer due messages than this the run ends: those that come meanwhile can wait for the next one. */
const TOO_FEW_TO_GO_ON = 16
/**
 * How long a list of due messages is used before it is read again, in ms: reading it for every webhook costs as much as 50
 * messages.
 */
const FRESH_MS = 200
/** How many messages must end before more are started in their place. */
const ENDED_BEFORE_MORE = 16
/** A run ends after this many rounds, as the run of every job must; the next one follows. */
const MAX_ROUNDS = 100

export function createDelivering(parts: DeliverParts): Delivering {
  const { store, pool, clock } = parts
  /** Each takes its slot in the pool at once, so that others can be chosen while the database still marks these as taken. */
  const takeAndStart = (chosen: readonly DueTask[]) => {
    const taking = takeMessages(parts, chosen)
    for (const task of chosen) {
      const work = async (signal: AbortSignal) => {
        const taken = (await taking.catch(() => null))?.get(task.id)
        if (taken === undefined) return null
        return traced(parts.tracer, taken.delivery, () => deliver(parts, taken, signal))
      }
      pool.start(task, work, taking)
    }
    return taking
  }
  /** Starts due messages that get a slot within `FRESH_MS`; returns how many. */
  const beginDue = async () => {
    const foundAt = clock.elapsedMs()
    const leftMs = () => FRESH_MS - (clock.elapsedMs() - foundAt)
    let due = pool.capacity().max === 0 ? [] : await store.findDue(pool.outlook())
    const begun = []
    // At least once: where the database is slow, the list may be old when it comes.
    for (let isFresh = true; isFresh && due.length > 0; isFresh = leftMs() > 0) {
      const chosen = new Set(pool.choose(due))
      if (chosen.size > 0) begun.push(takeAndStart([...chosen]))
      else if (pool.underWay() === 0) break
      due = due.filter((task) => !chosen.has(task))
      if (due.length > 0) await pool.untilEnded(ENDED_BEFORE_MORE, Math.max(0, leftMs()))
    }
    return (await Promise.all(begun)).reduce((sum, { size }) => sum + size, 0)
  }
  return {
    async work() {
      for (let round = 0; round < MAX_ROUNDS; round += 1) if ((await beginDue()) < TOO_FEW_TO_GO_ON) return
    },
    finish: pool.finish,
    abort: pool.abort,
  }
}

interface Taken {
  delivery: DueDelivery
  makingMessage: Promise<Message | Fault>
}

/** Takes deliveries for this process and begins to make their messages; by the ids of their tasks. */
async function takeMessages(
  parts: DeliverParts,
  chosen: readonly DueTask[],
): Promise<ReadonlyMap<string, Taken>> {
  const secretsOf = openOnce(parts.vault)
  const taken = (await parts.store.take(chosen)).map((delivery) => ({
    delivery,
    makingMessage: makeMessage(parts, delivery, secretsOf(delivery.webhook)),
  }))
  return new Map(taken.map((one) => [taskOf(one.delivery).id, one]))
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
    const isTaken = await span.within(work)
    span.end({ hasFailed: !isTaken })
    return isTaken
  } catch (error) {
    span.end({ hasFailed: true })
    throw error
  }
}

/** Makes one attempt and records how it ended. True if the server took the message, or wants no more (410) and is sent none. */
async function deliver(
  parts: DeliverParts,
  { delivery, makingMessage }: Taken,
  signal: AbortSignal,
): Promise<boolean> {
  const { store, createId, random } = parts
  const status = await post(parts, delivery, await makingMessage, signal)
  if (typeof status === 'number' && status >= 200 && status < 300) {
    await store.delivered(delivery, status)
    return true
  }
  if (status === 410 && (await store.disable(delivery, createId()))) return true
  if (typeof status !== 'number' && signal.aborted) await store.giveBack(delivery)
  else await store.failed(delivery, failureOf(status), retryDelay(delivery.attempts, random))
  return false
}

function failureOf(status: number | Fault): Failure {
  return typeof status === 'number'
    ? { status, fault: `the server said ${String(status)}` }
    : { status: null, ...status }
}

async function post(
  { send }: DeliverParts,
  { webhook }: DueDelivery,
  message: Message | Fault,
  signal: AbortSignal,
): Promise<number | Fault> {
  if ('fault' in message) return message
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
  UNASKED_ANSWER: 'the server answered what it was not asked',
  NOT_HTTP: 'the server does not speak HTTP as it should',
  HEADERS_TOO_LONG: 'the headers of the answer are too long',
  ECONNREFUSED: 'nothing listens at this address (ECONNREFUSED)',
  ECONNRESET: 'the connection was broken off (ECONNRESET)',
  EPIPE: 'the connection was broken off (EPIPE)',
  ENOTFOUND: 'there is no host of this name (ENOTFOUND)',
  ENODATA: 'there is no host of this name (ENODATA)',
  EAI_AGAIN: 'the name of the host could not be looked up (EAI_AGAIN)',
  EHOSTUNREACH: 'the host cannot be reached (EHOSTUNREACH)',
  ENETUNREACH: 'the host cannot be reached (ENETUNREACH)',
  ETIMEDOUT: 'no connection in time (ETIMEDOUT)',
  CERT_HAS_EXPIRED: 'the certificate has expired (CERT_HAS_EXPIRED)',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT)',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is signed by an unknown authority (SELF_SIGNED_CERT_IN_CHAIN)',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'certificates between that of the server and its authority are missing (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host (ERR_TLS_CERT_ALTNAME_INVALID)',
  EPROTO: 'the server does not speak TLS as it should (EPROTO)',
}
/** What may be told of a failed attempt: words, with the system's code that people search for, or the code; no address that was resolved. */
function wordsOf(code: string): string {
  if (isProxyCode(code)) return `the proxy of this service let nothing through (${code})`
  return WORDS[code] ?? code
}
