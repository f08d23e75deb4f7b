import type { TimeOfDay } from '../clocks.ts'
import type { CreateId } from '../identifiers.ts'
import type { TextVault } from '../vault/sealed-text.ts'
import type { DeliveryStore, Failure } from './delivery-store.ts'
import type { Post } from './post.ts'
import { retryDelay } from './retry-delay.ts'
import { signedHeaders } from './signature.ts'
import { placeOf } from './webhook.ts'
import type { DueDelivery } from './webhook.ts'

/** Messages that one process has under way at once: in all, and to one webhook. */
const MOST_UNDER_WAY = 256
const MOST_EACH = 32

export interface DeliverParts {
  store: DeliveryStore
  vault: TextVault
  post: Post
  /** What the event is about, on the wire, as it was right after the event. */
  resourceAsOf: (event: { id: string; subject: string }) => Promise<object>
  createId: CreateId
  timeOfDay: TimeOfDay
  /** From 0 to 1. */
  random: () => number
  onFault: (error: unknown) => void
}

/** Sends events to webhooks, each at least once, at any number of processes at once. */
export interface Delivering {
  /** Takes what is due and starts to send it. */
  work: () => Promise<void>
  /** Waits for what is under way. */
  finish: () => Promise<unknown>
}

export function createDelivering(parts: DeliverParts): Delivering {
  const underWay = new Map<Promise<void>, string>()
  const start = (delivery: DueDelivery): void => {
    const run = deliver(parts, delivery)
      .catch(parts.onFault)
      .finally(() => underWay.delete(run))
    underWay.set(run, delivery.webhook.id)
  }
  return {
    async work() {
      const free = MOST_UNDER_WAY - underWay.size
      if (free === 0) return
      for (const delivery of await parts.store.takeDue(busy(underWay.values()), free, MOST_EACH))
        start(delivery)
    },
    finish: () => Promise.all(underWay.keys()),
  }
}

/** Webhooks that have as many messages under way as one may. */
function busy(webhookIds: Iterable<string>): string[] {
  const counts = new Map<string, number>()
  for (const id of webhookIds) counts.set(id, (counts.get(id) ?? 0) + 1)
  return [...counts].filter(([, count]) => count >= MOST_EACH).map(([id]) => id)
}

/** One attempt: signed anew, and recorded as it ended. */
async function deliver(parts: DeliverParts, delivery: DueDelivery): Promise<void> {
  const { store, createId, random } = parts
  const status = await send(parts, delivery)
  if (typeof status === 'number' && status >= 200 && status < 300) return store.delivered(delivery, status)
  if (status === 410) return store.disable(delivery, createId())
  const failure: Failure =
    typeof status === 'number'
      ? { status, fault: `the server said ${String(status)}` }
      : { status: null, ...status }
  return store.failed(delivery, failure, retryDelay(delivery.attempts, random))
}

async function send(
  { post, vault, resourceAsOf, timeOfDay, onFault }: DeliverParts,
  { webhook, event }: DueDelivery,
): Promise<number | { fault: string }> {
  let message: { headers: Record<string, string>; body: string }
  try {
    const timestamp = Math.floor(timeOfDay.epochMs() / 1000)
    const data = await resourceAsOf(event)
    const body = JSON.stringify({ type: event.type, timestamp: event.createdAt.toISOString(), data })
    const secret = vault.open(webhook.secret, placeOf(webhook))
    message = { body, headers: signedHeaders(secret, { id: event.id, timestamp, body }) }
  } catch (error) {
    onFault(error)
    return { fault: "the message could not be made: the service's log says why" }
  }
  return post(webhook.url, message.headers, message.body).catch((error: unknown) => ({
    fault: wordsOf(error),
  }))
}

/** What may be told of a failed attempt: a stable code, no address that was resolved. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no connection'
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'no answer in time'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'no connection'
  return code === 'NOT_PUBLIC' ? 'the address is not a public one' : code
}
