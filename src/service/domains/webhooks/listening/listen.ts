import { createHmac } from 'node:crypto'
import type { SendRequest } from '../../../platform/outbound/http-client.ts'
import { codeOf } from '../../../platform/outbound/no-answer.ts'
import { signedHeaders } from '../delivery/signature.ts'
import type { EventFeed } from './event-feed.ts'
import { ReadFailed } from './read-events.ts'
import type { ReadEvent } from './read-events.ts'

/** How often events are asked for. */
const POLL_MS = 1000

interface Parts {
  /** That has begun. */
  feed: Pick<EventFeed, 'next'>
  forward: Forward
  /** Writes a line. */
  say: (text: string) => void
  /** Resolves after so many ms, or as soon as somebody wants it to end. */
  pause: (ms: number) => Promise<void>
  isStopped: () => boolean
}

/** Forwards events as they happen, and says a line of each, until it is stopped. Throws `ReadFailed` where it can't ever go on. */
export async function listen({ feed, forward, say, pause, isStopped }: Parts): Promise<void> {
  let isAway = false
  while (!isStopped()) {
    try {
      const { events, at } = await feed.next()
      if (isAway) say('The service is back.')
      isAway = false
      for (const event of events) {
        if (isStopped()) return
        say(`${event.timestamp}  ${event.type}  ${event._id}  ${await forward(event, at)}`)
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

/** Sends an event as a webhook is sent it; what came of it, in a word or two. `at`: in seconds since 1970. */
export type Forward = (event: ReadEvent, at: number) => Promise<string>

interface ForwardParts {
  send: SendRequest
  url: string
  secret: string
  userAgent: string
  /** Aborted when nobody waits any more. */
  signal: AbortSignal
}

export function createForward({ send, url, secret, userAgent, signal }: ForwardParts): Forward {
  return async ({ _id: id, type, timestamp, data }, at) => {
    const body = JSON.stringify({ type, timestamp, data })
    const headers = signedHeaders([secret], { id, timestamp: Math.floor(at), body })
    return send({ url, headers: { ...headers, 'user-agent': userAgent }, body, signal }).then(
      ({ status }) => String(status),
      (error: unknown) => `no answer (${codeOf(error)})`,
    )
  }
}

/** What forwarded events are signed with: the same whenever the same merchant's key listens, and told by it to nobody. */
export function listeningSecret(secretKey: string): string {
  return `whsec_${createHmac('sha256', secretKey).update('webhooks listen').digest('base64')}`
}
