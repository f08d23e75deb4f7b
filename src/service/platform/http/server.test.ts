import { once } from 'node:events'
import { Agent, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import * as v from 'valibot'
import { afterEach, describe, expect, it, beforeEach } from 'vitest'
import { Envelope } from '../../../contract/api/envelope.ts'
import { ServiceError } from '../errors.ts'
import { createApp } from './app.ts'
import { SERVER_LIMITS } from './server.ts'
import type { ServerLimits } from './server.ts'

const LARGE = 'x'.repeat(1_000_000)

let app: FastifyInstance
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await app.close()
})

/** A service whose limits are short, and how many large answers it has made. */
async function start(limits: Partial<ServerLimits> = {}, trusted: string[] = []) {
  const made = { large: 0 }
  app = createApp(pino({ level: 'silent' }), trusted, {
    limits: { ...SERVER_LIMITS, checkEveryMs: 20, ...limits },
  })
  app.post('/echo', (request) => request.body)
  app.get('/large', () => {
    made.large += 1
    return LARGE
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return made
}

async function open(): Promise<Socket> {
  const address = app.server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const socket = connect({ port, host: '127.0.0.1' })
  sockets.push(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** All that comes until the connection ends. */
async function answerTo(request: string): Promise<string> {
  const socket = await open()
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => (text += String(chunk)))
  socket.write(request)
  await once(socket, 'close')
  return text
}

function envelopeIn(answer: string): [status: string | undefined, envelope: Envelope] {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  return [/^HTTP\/1.1 (\d+)/.exec(head)?.[1], v.parse(Envelope, JSON.parse(body))]
}

const HEAD = 'POST /echo HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n'

describe('a request that does not come to its end', () => {
  const NEVER = 10_000_000

  it.each([
    ['in its headers', HEAD, { headersMs: 100, requestMs: NEVER }],
    ['in its body', `${HEAD}content-length: 9\r\n\r\n{`, { headersMs: 50, requestMs: 100 }],
  ])('%s is answered 408 in the envelope, and its connection ends', async (_name, request, limits) => {
    await start(limits)
    const [status, envelope] = envelopeIn(await answerTo(request))
    expect([status, envelope.status, envelope.error?.code]).toEqual(['408', 408, 'validation_error'])
  })

  it('has 9 s for its headers and 15 s in all, looked at each half second', async () => {
    await start({ checkEveryMs: SERVER_LIMITS.checkEveryMs })
    const { headersTimeout, requestTimeout } = app.server
    expect([headersTimeout, requestTimeout, SERVER_LIMITS.checkEveryMs]).toEqual([9000, 15_000, 500])
  })
})

describe('a client that never reads', () => {
  const ask = 'GET /large HTTP/1.1\r\nhost: localhost\r\n\r\n'

  it('is left after a while', async () => {
    await start({ unreadMs: 100 })
    await unread(ask.repeat(16))
  })

  it('that sends many requests ahead is left at once, and most of them are not carried out', async () => {
    const made = await start({ maxUnanswered: 4 })
    await unread(ask.repeat(200))
    expect(made.large).toBeLessThanOrEqual(4)
  })

  it('or next to nothing, is left after a minute', async () => {
    expect([SERVER_LIMITS.slowMs, SERVER_LIMITS.slowBytes]).toEqual([60_000, 65_536])
    await start({ unreadMs: 10_000, slowMs: 300, slowBytes: 20_000_000 })
    const accepted = new Promise<Socket>((resolve) => app.server.once('connection', resolve))
    const socket = await open()
    const left = once(await accepted, 'close')
    socket.pause()
    socket.write(ask.repeat(16))
    const trickle = setInterval(() => void socket.read(64), 20)
    await left
    clearInterval(trickle)
  })

  it('does not end one that reads, however much it asks for, nor one that is idle', async () => {
    await start({ unreadMs: 100, slowMs: 60, slowBytes: 1000, maxUnanswered: 4 })
    const idle = await open()
    const socket = await open()
    for (let round = 0; round < 30; round += 1) {
      socket.write(ask)
      let length = 0
      while (length < LARGE.length)
        length += v.parse(v.instance(Buffer), (await once(socket, 'data'))[0]).length
    }
    expect([idle.readyState, socket.readyState]).toEqual(['open', 'open'])
  })

  /** Sends what it is given, reads nothing, and waits until the service has left. */
  async function unread(text: string): Promise<void> {
    const accepted = new Promise<Socket>((resolve) => app.server.once('connection', resolve))
    const socket = await open()
    const left = once(await accepted, 'close')
    socket.pause()
    socket.write(text)
    await left
  }
})

describe('connections of one caller', () => {
  const isOpen = async (socket: Socket) => {
    if (socket.closed) return false
    socket.write('GET /nothing HTTP/1.1\r\nhost: localhost\r\n\r\n')
    return await Promise.race([
      once(socket, 'data').then(() => true),
      once(socket, 'close').then(() => false),
    ])
  }

  it('are as many as its share, and one that ends makes room', async () => {
    await start({ maxPerCaller: 2 })
    const [first, second, third] = [await open(), await open(), await open()]
    expect([await isOpen(first), await isOpen(second), await isOpen(third)]).toEqual([true, true, false])
    first.destroy()
    while ((await count()) > 1) await setImmediate()
    expect(await isOpen(await open())).toBe(true)
  })

  it('of one IPv6 /64 count together, whatever their addresses', async () => {
    await start({ maxPerCaller: 2 })
    const [first, second, third, other] = [
      await arriveFrom('2001:db8:0:1::1'),
      await arriveFrom('2001:db8:0:1::2'),
      await arriveFrom('2001:db8:0:1:ffff::3'),
      await arriveFrom('203.0.113.5'),
    ]
    expect([first, second, third, other].map(({ destroyed }) => destroyed)).toEqual([
      false,
      false,
      true,
      false,
    ])
  })

  it('of one IPv6 /48 have a share too', async () => {
    await start({ maxPerCaller: 2, maxPerSite: 3 })
    const sockets = []
    for (const net of ['1', '2', '3', '4']) sockets.push(await arriveFrom(`2001:db8:7:${net}::1`))
    sockets.push(await arriveFrom('2001:db8:8:1::1'))
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, false, false, true, false])
  })

  it('give one up that is idle, when all are taken and somebody comes who has fewer', async () => {
    await start({ maxConnections: 3 })
    const held = [
      await arriveFrom('203.0.113.1'),
      await arriveFrom('203.0.113.1'),
      await arriveFrom('203.0.113.1'),
    ]
    const newcomer = await arriveFrom('198.51.100.1')
    const another = await arriveFrom('198.51.100.2')
    expect(held.filter(({ destroyed }) => destroyed)).toHaveLength(2)
    expect([newcomer.destroyed, another.destroyed]).toEqual([false, false])
    expect((await arriveFrom('198.51.100.3')).destroyed).toBe(true)
  })

  it('are as many as they like for a proxy that is trusted', async () => {
    await start({ maxPerCaller: 1 }, ['127.0.0.0/8'])
    expect([await isOpen(await open()), await isOpen(await open())]).toEqual([true, true])
  })

  /** A connection as it looks to the service, from an address that a test can't have. */
  async function arriveFrom(address: string): Promise<Socket> {
    const arrived = new Promise<Socket>((resolve) => {
      app.server.prependOnceListener('connection', (socket) => {
        Object.defineProperty(socket, 'remoteAddress', { value: address })
        resolve(socket)
      })
    })
    await open()
    const socket = await arrived
    sockets.push(socket)
    return socket
  }

  const count = () =>
    new Promise<number>((resolve) => {
      app.server.getConnections((_error, connections) => resolve(connections))
    })
})

describe('what HTTP forbids is refused in the envelope', () => {
  const get = (headers: string, version = '1.1') =>
    `GET /nothing HTTP/${version}\r\n${headers}connection: close\r\n\r\n`

  it.each([
    ['no Host', get(''), '400'],
    ['two Hosts', get('host: a.example\r\nHost: b.example\r\n'), '400'],
    ['an Expect that is not known', get('host: localhost\r\nexpect: foo\r\n'), '417'],
    ['one Host', get('host: localhost\r\n'), '404'],
    ['no Host before HTTP/1.1', get('', '1.0'), '404'],
  ])('%s', async (_name, request, expected) => {
    await start()
    const [status, envelope] = envelopeIn(await answerTo(request))
    expect([status, String(envelope.status)]).toEqual([expected, expected])
  })
})

describe('a broken request', () => {
  let socket: Socket
  let answers: string
  let closed: Promise<unknown>
  beforeEach(async () => {
    app = createApp(pino({ level: 'silent' }))
    app.post('/echo', (request) => request.body)
    app.post(
      '/refused',
      { onRequest: (_request, _reply, done) => done(new ServiceError('forbidden', 'no')) },
      () => null,
    )
    app.get('/slow', async () => {
      await setTimeout(60)
      return 'done'
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const address = app.server.address()
    if (typeof address !== 'object' || address === null) throw new Error('it listens at no port')
    socket = connect({ port: address.port, host: '127.0.0.1' })
    answers = ''
    socket.setEncoding('utf8').on('data', (text) => (answers += String(text)))
    closed = once(socket, 'close')
  })
  afterEach(() => socket.destroy())

  const statuses = () => [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)

  describe('that was answered before its body had come', () => {
    const begun =
      'POST /refused HTTP/1.1\r\nhost: localhost\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n'

    it('has no second answer when its body breaks at once', async () => {
      socket.write(`${begun}zz\r\n`)
      await closed
      expect(statuses()).toEqual(['403'])
    })

    it('has no second answer when its body breaks a moment later', async () => {
      socket.write(begun)
      await once(socket, 'data')
      socket.write('zz\r\n')
      await closed
      expect(statuses()).toEqual(['403'])
    })
  })

  it('answers what can’t be read once, after the request before it', async () => {
    socket.write('GET /slow HTTP/1.1\r\nhost: localhost\r\n\r\nno HTTP\r\n\r\n')
    await setTimeout(20)
    socket.write('nor is this\r\n\r\n')
    await closed
    expect(statuses()).toEqual(['200', '400'])
  })

  it.each([
    ['waits for its body', '/echo', ['200', '400']],
    ['was refused', '/refused', ['200', '403']],
  ])('lets the request before one whose body breaks have its answer: it %s', async (_, path, expected) => {
    const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
    socket.write(`GET /slow HTTP/1.1\r\nhost: localhost\r\n\r\n${head}`)
    await setTimeout(20)
    socket.write('zz\r\n')
    await closed
    expect(statuses()).toEqual(expected)
  })
})

it('answers what runs when the service stops, and ends its connection', async () => {
  app = createApp(pino({ level: 'silent' }))
  let finish = (): void => undefined
  app.get('/slow', async () => {
    await new Promise<void>((resolve) => (finish = resolve))
    return { done: true }
  })
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const agent = new Agent({ keepAlive: true })
  const sent = request({ agent, port, host: '127.0.0.1', path: '/slow' }).end()
  await once(app.server, 'request')
  const closed = app.close()
  await expect(fetch(`http://127.0.0.1:${port}/slow`)).rejects.toThrow()
  finish()
  const answer = await new Promise<IncomingMessage>((resolve) => sent.once('response', resolve))
  answer.resume()
  expect(answer.statusCode).toBe(200)
  expect(answer.headers.connection).toBe('close')
  await closed
})
