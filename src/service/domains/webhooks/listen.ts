import { createHmac } from 'node:crypto'
import * as v from 'valibot'
import type { SendRequest } from '../../platform/outbound/http-client.ts'
import { codeOf } from '../../platform/outbound/no-answer.ts'
import { signedHeaders } from './signature.ts'

/** How often events are asked for. */
const POLL_MS = 1000

interface Listening {
  /** It has begun. */
  feed: Pick<EventFeed, 'next'>
  receiver: Receiver
  /** Writes a line. */
  say: (text: string) => void
  /** Resolves after so many ms, or as soon as listening is to end. */
  pause: (ms: number) => Promise<void>
  isStopped: () => boolean
}

/** Forwards events to a developer's server as they happen, until stopped. Throws `ReadFailed` if trying again can't help. */
export async function listen({ feed, receiver, say, pause, isStopped }: Listening): Promise<void> {
  let isAway = false
  while (!isStopped()) {
    try {
      const { events, at } = await feed.next()
      if (isAway) say('The service is back.')
      isAway = false
      for (const event of events) {
        if (isStopped()) return
        say(`${event.timestamp}  ${event.type}  ${event._id}  ${await forward(receiver, event, at)}`)
      }
    } catch (error) {
      if (isStopped()) return
      if (!(error instanceof ReadFailed) || error.isFinal) throw error
      if (!isAway) say(`${error.message} It is asked again until it does.`)
      isAway = true
    }
    await pause(POLL_MS)
  }
}

/** The server that events are forwarded to. */
interface Receiver {
  send: SendRequest
  url: string
  secret: string
  userAgent: string
  /** Aborted when nobody waits any more. */
  signal: AbortSignal
}

/** Sends an event as a webhook's message, and says how it went in a word or two. `at`: in seconds since 1970. */
async function forward(
  { send, url, secret, userAgent, signal }: Receiver,
  { _id: id, type, timestamp, data }: ReadEvent,
  at: number,
): Promise<string> {
  const body = JSON.stringify({ type, timestamp, data })
  const headers = signedHeaders([secret], { id, timestamp: Math.floor(at), body })
  return send({ url, headers: { ...headers, 'user-agent': userAgent }, body, signal }).then(
    ({ status }) => String(status),
    (error: unknown) => `no answer (${codeOf(error)})`,
  )
}

/** The secret that signs forwarded events: always the same for one secret key, which it does not reveal. */
export function listeningSecret(secretKey: string): string {
  return `whsec_${createHmac('sha256', secretKey).update('webhooks listen').digest('base64')}`
}

/** The longest time that an event may still appear before newer ones: longer than a transaction of the service takes. */
const LATE_MS = 15_000

/** A merchant's events as they happen, each once. */
export interface EventFeed {
  /** Starts from now on. */
  begin: () => Promise<void>
  /** What has happened since the last call, oldest first, and the service's time in seconds since 1970. */
  next: () => Promise<{ events: ReadEvent[]; at: number }>
}

type Query = Readonly<Record<string, string>>

/** Each read goes back to a little before the newest known event. After a failed read, the next one makes up for it. */
export function createEventFeed(read: (query: Query) => Promise<EventPage>): EventFeed {
  let newest: string | null = null
  let known: ReadonlySet<string> = new Set()

  async function readWindow(): Promise<{ events: ReadEvent[]; at: number }> {
    const from = newest === null ? {} : { 'created_at.from': before(newest) }
    const events: ReadEvent[] = []
    let cursor = ''
    for (;;) {
      const page = await read({ limit: '100', ...from, ...(cursor !== '' && { cursor }) })
      events.push(...page.events)
      if (page.next === null) return { events, at: page.answeredAt }
      cursor = page.next
    }
  }

  function remember(events: readonly ReadEvent[]): void {
    newest = events[0]?.timestamp ?? newest
    known = new Set(events.map(({ _id }) => _id))
  }

  return {
    async begin() {
      const { events } = await read({ limit: '1' })
      newest = events[0]?.timestamp ?? null
      if (newest !== null) remember((await readWindow()).events)
    },
    async next() {
      const { events, at } = await readWindow()
      const fresh = events.filter(({ _id }) => !known.has(_id)).reverse()
      remember(events)
      return { events: fresh, at }
    },
  }
}

function before(timestamp: string): string {
  return new Date(Date.parse(timestamp) - LATE_MS).toISOString()
}

/** An event as it came; fields that are not read here go on to the merchant's server as they are. */
const ReadEvent = v.object({
  _id: v.string(),
  type: v.string(),
  timestamp: v.pipe(v.string(), v.isoTimestamp()),
  data: v.unknown(),
})
type ReadEvent = v.InferOutput<typeof ReadEvent>

const Page = v.object({ resource: v.object({ data: v.array(ReadEvent), next: v.nullable(v.string()) }) })
const Refusal = v.object({ error: v.object({ message: v.string() }) })

/** A page of `GET /v1/events`, newest first. */
interface EventPage {
  events: ReadEvent[]
  /** The cursor of the next page; null on the last. */
  next: string | null
  /** When it was answered, in seconds since 1970, by the service's clock. */
  answeredAt: number
}

/** The service's events can't be read; the message says why. `isFinal`: trying again will not help. */
export class ReadFailed extends Error {
  override readonly name = 'ReadFailed'
  readonly isFinal: boolean

  constructor(words: string, isFinal: boolean) {
    super(words)
    this.isFinal = isFinal
  }
}

/** The running service that events are read from. */
interface Service {
  send: SendRequest
  /** Its origin, and the merchant's key. */
  service: string
  secretKey: string
  /** Aborted when nobody waits any more. */
  signal: AbortSignal
}

/** Reads a page of the merchant's events over HTTP; throws `ReadFailed`. */
export async function readEvents(
  { send, service, secretKey, signal }: Service,
  query: Query,
): Promise<EventPage> {
  const url = `${service}/v1/events?${new URLSearchParams(query).toString()}`
  const headers = { 'x-user-secret-key': secretKey }
  const asked = { method: 'GET', url, headers, body: '', signal } as const
  const answer = await send(asked).catch((error: unknown) => {
    throw new ReadFailed(`${service} does not answer (${codeOf(error)}).`, false)
  })
  const { status, body } = answer
  if (status !== 200) throw refusedWith(service, status, body)
  const page = v.safeParse(Page, parsed(body))
  const answeredAt = Date.parse(answer.headers['date'] ?? '') / 1000
  if (!page.success || Number.isNaN(answeredAt))
    throw new ReadFailed(`What answers at ${service} is not this service, or is an older one.`, true)
  const { data: events, next } = page.output.resource
  return { events, next, answeredAt }
}

/** A key that is refused stays refused; a limit, a maintenance or a fault passes. */
function refusedWith(service: string, status: number, body: string): ReadFailed {
  const refusal = v.safeParse(Refusal, parsed(body))
  const words = refusal.success ? `: ${refusal.output.error.message}` : '.'
  return new ReadFailed(`${service} answered ${status}${words}`, status < 500 && status !== 429)
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}
