import * as v from 'valibot'
import type { SendRequest } from '../../../platform/outbound/http-client.ts'
import { codeOf } from '../../../platform/outbound/no-answer.ts'

/** An event as it came; what is not read here goes on to the merchant's server as it is. */
const ReadEvent = v.object({
  _id: v.string(),
  type: v.string(),
  timestamp: v.pipe(v.string(), v.isoTimestamp()),
  data: v.unknown(),
})
export type ReadEvent = v.InferOutput<typeof ReadEvent>

const Page = v.object({ resource: v.object({ data: v.array(ReadEvent), next: v.nullable(v.string()) }) })
const Refusal = v.object({ error: v.object({ message: v.string() }) })

/** A page of `GET /v1/events`, newest first. */
export interface EventPage {
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

/** Reads a page of the merchant's events over HTTP; throws `ReadFailed`. */
export type ReadEvents = (query: Readonly<Record<string, string>>) => Promise<EventPage>

interface Parts {
  send: SendRequest
  /** An origin, and what opens it. */
  service: string
  secretKey: string
  /** Aborted when nobody waits any more. */
  signal: AbortSignal
}

export function createReadEvents({ send, service, secretKey, signal }: Parts): ReadEvents {
  return async (query) => {
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
