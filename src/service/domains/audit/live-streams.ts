import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { LiveEvent } from '../../../contract/dashboard/live-event.ts'
import type { MonotonicClock } from '../../platform/clocks.ts'
import type { DashboardAccess } from '../../platform/domain.ts'
import { ServiceError } from '../../platform/errors.ts'
import type { LiveFeed, LiveRow } from './live-feed.ts'

/** The most streams that one user, one merchant, and everybody may have open in one process. A browser has six connections for an origin. */
const MOST = { ofUser: 4, ofMerchant: 400, inAll: 2000 }
/** How often a stream gets a heartbeat and its session is checked, in ms. */
const HEARTBEAT_MS = 5000

interface Open {
  stream: EventStream
  userId: string
  merchantId: string
  request: FastifyRequest
  recheckSession: DashboardAccess['recheckSession']
  heartbeatAt: number
}

/** `GET /api/live`: a merchant's events as they happen, as server-sent events for its open dashboards. */
export interface LiveStreams {
  addRoute: (app: FastifyInstance, access: Pick<DashboardAccess, 'sessionOf' | 'recheckSession'>) => void
  /** Sends a heartbeat on each open stream, and ends those whose session has ended or is now at another merchant. */
  beat: () => Promise<void>
}

/** `most`: other numbers are for tests. */
export function createLiveStreams(feed: LiveFeed, clock: MonotonicClock, most = MOST): LiveStreams {
  const open = new Set<Open>()
  let isClosing = false
  const admit = (userId: string, merchantId: string) => {
    if (isClosing)
      throw new ServiceError('service_unavailable', 'The service is stopping.', { retryAfter: 2 })
    const own = [...open].filter((one) => one.userId === userId).length
    const ofMerchant = [...open].filter((one) => one.merchantId === merchantId).length
    if (own < most.ofUser && ofMerchant < most.ofMerchant && open.size < most.inAll) return
    throw new ServiceError('rate_limited', 'Too many pages listen already. Close one.', { retryAfter: 30 })
  }
  return {
    addRoute(app, { sessionOf, recheckSession }) {
      // Node waits for answers that are under way when the server closes.
      app.addHook('preClose', (done) => {
        isClosing = true
        for (const { stream } of open) stream.end()
        done()
      })
      const config = { permission: 'read', isUnattended: true } as const
      app.get('/api/live', { config, exposeHeadRoute: false }, async (request, reply) => {
        const { merchantId, user } = sessionOf(request)
        admit(user.id, merchantId)
        const stream = createEventStream()
        const heartbeatAt = clock.elapsedMs()
        const one: Open = { stream, userId: user.id, merchantId, request, recheckSession, heartbeatAt }
        open.add(one)
        reply.raw.once('close', () => open.delete(one))
        const leave = await feed.join({ merchantId, ...stream }, lastIdOf(request))
        if (reply.raw.closed) leave()
        else reply.raw.once('close', leave)
        return reply.type('text/event-stream').header('x-accel-buffering', 'no').send(stream.body)
      })
    },
    async beat() {
      const now = clock.elapsedMs()
      const due = [...open].filter(({ heartbeatAt }) => now - heartbeatAt >= HEARTBEAT_MS)
      await Promise.all(
        due.map(async (one) => {
          one.heartbeatAt = now
          // If the session can't be read, the stream ends: the browser reconnects and is authenticated again.
          const session = await one.recheckSession(one.request).catch(() => null)
          if (session?.merchantId === one.merchantId) one.stream.beat()
          else one.stream.end()
        }),
      )
    },
  }
}

/** The id of the last event that a reconnecting browser has received. */
function lastIdOf({ headers }: FastifyRequest): string | null {
  const id = headers['last-event-id']
  return typeof id === 'string' && id !== '' ? id : null
}

/** An answer of server-sent events (HTML standard, §9.2) while it is open. */
interface EventStream {
  /** What is sent. */
  body: Readable
  tell: (events: readonly LiveRow[]) => void
  reset: () => void
  /** Sends a heartbeat, so that neither end nor a proxy closes the connection as idle. */
  beat: () => void
  end: () => void
}

/** A browser that is cut off asks again after this long. */
const RETRY_MS = 2000
/** A reader that leaves more than this unread is disconnected; it reconnects after the last event that it has read. */
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
