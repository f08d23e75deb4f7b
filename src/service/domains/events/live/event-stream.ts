import { Readable } from 'node:stream'
import type { LiveEvent } from '../../../../contract/dashboard/live-event.ts'
import type { LiveRow } from './live-sql.ts'

/** An answer of server-sent events (HTML standard, §9.2) while it is open. */
export interface EventStream {
  /** What is sent. */
  body: Readable
  tell: (events: readonly LiveRow[]) => void
  reset: () => void
  /** Sends a heartbeat, so that neither end nor a proxy between them closes the connection as idle. */
  beat: () => void
  end: () => void
}

/** A browser that is cut off asks again after this. */
const RETRY_MS = 2000
/** A reader that leaves more than this unread is disconnected; it reconnects with the last event that it has read. */
const MAX_UNREAD_BYTES = 256 * 1024

export function createEventStream(): EventStream {
  const body = new Readable({ read: () => undefined })
  let isEnded = false
  const end = () => {
    if (isEnded) return
    isEnded = true
    body.push(null)
  }
  const send = (text: string) => {
    if (isEnded || body.destroyed) return
    body.push(text)
    if (body.readableLength > MAX_UNREAD_BYTES) end()
  }
  send(`retry: ${RETRY_MS}\n\n`)
  return {
    body,
    tell: (events) => send(events.map(toMessage).join('')),
    reset: () => send('event: reset\ndata:\n\n'),
    beat: () => send(':\n\n'),
    end,
  }
}

function toMessage({ id, type, subject, created_at: createdAt }: LiveRow): string {
  const data: LiveEvent = { id, type, subject, created_at: createdAt.toISOString() }
  return `id: ${id}\nevent: happened\ndata: ${JSON.stringify(data)}\n\n`
}
