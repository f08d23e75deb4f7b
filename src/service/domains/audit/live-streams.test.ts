import { afterEach, beforeEach, expect, it } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { createApp } from '../../platform/http/app.ts'
import type { Session } from '../../platform/http/callers/session.ts'
import { capturedLog } from '../../testing/captured-log.ts'
import { openEvents, until } from '../../testing/event-source.ts'
import type { Listener } from './live-feed.ts'
import { createEventStream, createLiveStreams } from './live-streams.ts'
import type { LiveStreams } from './live-streams.ts'

const clock = { now: 0, elapsedMs: () => clock.now }
const OPEN: Session = {
  sessionId: 's1',
  user: { id: 'u1', email: 'ada@shop.example', name: 'Ada' },
  merchantId: 'm1',
  role: 'viewer',
  freshUntil: null,
}
let session: Session
let recheckSession: () => Promise<Session | null>
const listeners = new Set<Listener>()
let app: FastifyInstance
let streams: LiveStreams
let address: string
beforeEach(async () => {
  recheckSession = () => Promise.resolve(OPEN)
  session = OPEN
  streams = createLiveStreams(
    {
      noteLength: () => undefined,
      poll: () => Promise.resolve(),
      join: (listener) => {
        listeners.add(listener)
        return Promise.resolve(() => listeners.delete(listener))
      },
    },
    clock,
    { ofUser: 4, ofMerchant: 6, inAll: 20 },
  )
  app = createApp(capturedLog().log)
  streams.addRoute(app, {
    sessionOf: () => session,
    recheckSession: () => recheckSession(),
  })
  address = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(() => app.close())

const listen = () => openEvents(`${address}/api/live`, {})
const passSeconds = async (seconds: number) => {
  clock.now += seconds * 1000
  await streams.beat()
}

it('a stream shows every five seconds that it is there', async () => {
  const events = await listen()
  await passSeconds(4.9)
  expect(events.beats()).toBe(0)
  await passSeconds(0.1)
  await until(() => events.beats() === 1)
  await passSeconds(5)
  await until(() => events.beats() === 2)
  events.close()
  await until(() => listeners.size === 0)
})

it.each([
  ['has ended', () => Promise.resolve(null)],
  ['cannot be told', () => Promise.reject(new Error('no'))],
  ['is at another merchant now', () => Promise.resolve({ ...OPEN, merchantId: 'm2' })],
])('it ends when the session %s', async (_name, now) => {
  const events = await listen()
  recheckSession = now
  await passSeconds(5)
  await until(() => events.isOver())
  expect(events.beats()).toBe(0)
  await until(() => listeners.size === 0)
})

it('it ends when the service stops, which waits for no reader', async () => {
  const events = await listen()
  await app.close()
  await until(() => events.isOver())
  await until(() => listeners.size === 0)
})

it('a reader that takes nothing is left', () => {
  const { body, tell } = createEventStream()
  const event = {
    seq: 1,
    id: 'e',
    merchant_id: 'm',
    type: 'charge.captured',
    subject: 'c',
    created_at: new Date(0),
  }
  for (let n = 0; n < 100; n += 1) tell(Array.from({ length: 100 }, () => event))
  expect(body.readableLength).toBeLessThan(300 * 1024)
  body.resume()
  return new Promise((resolve) => body.on('end', resolve))
})

it('one merchant has a share of all streams, however many people it has', async () => {
  const listenAs = (person: number, merchantId: string) => {
    session = { ...OPEN, user: { ...OPEN.user, id: `u${person}` }, merchantId }
    return listen()
  }
  const open = []
  for (let person = 0; person < 6; person += 1) open.push(await listenAs(person, 'm1'))
  session = { ...OPEN, user: { ...OPEN.user, id: 'u7' } }
  expect((await fetch(`${address}/api/live`)).status).toBe(429)
  open.push(await listenAs(8, 'm2'))
  for (const events of open) events.close()
  await until(() => listeners.size === 0)
})
