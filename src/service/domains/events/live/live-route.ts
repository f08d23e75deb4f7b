import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { DashboardAccess } from '../../../platform/domain.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { MonotonicClock } from '../../../platform/clocks.ts'
import { createEventStream } from './event-stream.ts'
import type { EventStream } from './event-stream.ts'
import type { LiveFeed } from './live-feed.ts'

/** Open streams of one user, of all users of a merchant, and of all, in one process. A browser has six connections for an origin. */
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

/** `GET /api/live`: what happens at a merchant while its dashboard is open, as server-sent events. */
export interface LiveStreams {
  addRoute: (app: FastifyInstance, access: Pick<DashboardAccess, 'sessionOf' | 'recheckSession'>) => void
  /** Sends a heartbeat on each open stream, and ends those whose session has ended or is now at another merchant. */
  beat: () => Promise<void>
}

/** `most`: how many streams may be open; other numbers are for tests. */
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
          // Where the session can't be read, the stream ends: the browser reconnects and is authenticated again.
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
