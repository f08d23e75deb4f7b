import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import * as v from 'valibot'
import { afterEach, describe, expect, it } from 'vitest'
import { chargeCalls } from '../../testing/charge-calls.ts'
import { hostileNames, startHostileServer } from '../../testing/hostile-servers.ts'
import type { HostileName } from '../../testing/hostile-servers.ts'
import { createTestService } from '../../testing/test-service.ts'
import { createHttpClient, toldSend } from './http-client.ts'
import { NoAnswer } from './no-answer.ts'
import { createNameLookup } from './public-address.ts'

const LIMITS = { timeoutMs: 300, maxBytes: 10_000, wants: 'whole answer', idleMs: 0 } as const
const post = (url: string, signal?: AbortSignal) => ({
  url,
  headers: {},
  body: '{}',
  ...(signal !== undefined && { signal }),
})
const closing: (() => Promise<unknown>)[] = []
afterEach(() => Promise.all(closing.splice(0).map((close) => close())))

async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${v.parse(v.object({ port: v.number() }), server.address()).port}/`
}

/** Those that end before anything of a request can have been sent. */
const SENDS_NOTHING = new Set<HostileName>(['speaks no TLS', 'never ends its TLS handshake'])

describe('a request to a server that', () => {
  it.each(hostileNames)('%s: ends in time, and nothing is left of its connection', async (name) => {
    const server = await startHostileServer(name)
    closing.push(server.close)
    const ended = await createHttpClient({ ...LIMITS, idleMs: 5000 })(post(server.url)).then(
      ({ status }) => status,
      (error: unknown) => error,
    )
    if (name === 'redirects to itself') expect(ended).toBe(307)
    else {
      expect(ended).toBeInstanceOf(NoAnswer)
      const wasSent = !SENDS_NOTHING.has(name)
      expect(ended).toMatchObject({ wasSent, step: wasSent ? 'answer' : 'handshake' })
    }
    expect(server.connections().made).toBe(1)
    await expect.poll(() => server.connections().open).toBe(0)
  })

  it('answers a status that is none: it does not speak HTTP', async () => {
    const server = await startHostileServer('answers a status that is none')
    closing.push(server.close)
    await expect(createHttpClient(LIMITS)(post(server.url))).rejects.toMatchObject({ code: 'NOT_HTTP' })
  })

  it('nobody runs: nothing was sent', async () => {
    const server = await startHostileServer('never answers')
    await server.close()
    await expect(createHttpClient(LIMITS)(post(server.url))).rejects.toMatchObject({
      code: 'ECONNREFUSED',
      wasSent: false,
    })
  })

  it('is no longer waited for: the request ends at once', async () => {
    const server = await startHostileServer('never answers')
    closing.push(server.close)
    const client = createHttpClient({ ...LIMITS, timeoutMs: 60_000 })
    const controller = new AbortController()
    const asked = client(post(server.url, controller.signal))
    await expect.poll(() => server.connections().open).toBe(1)
    controller.abort()
    await expect(asked).rejects.toMatchObject({ code: 'STOPPED', wasSent: true })
    await expect.poll(() => server.connections().open).toBe(0)
    await expect(client(post(server.url, controller.signal))).rejects.toMatchObject({ wasSent: false })
  })
})

describe('a good answer', () => {
  it('comes whole, over a connection that is kept where the settings say so', async () => {
    const connections = new Set<unknown>()
    const server = createServer((request, response) => {
      connections.add(request.socket)
      response.writeHead(201, { 'x-one': 'two' }).end('{"ok":true}')
    })
    const url = await listen(server)
    const client = createHttpClient({ ...LIMITS, idleMs: 5000 })
    for (let times = 0; times < 3; times += 1)
      expect(await client(post(url))).toMatchObject({
        status: 201,
        body: '{"ok":true}',
        headers: { 'x-one': 'two' },
      })
    expect(connections.size).toBe(1)
    await createHttpClient(LIMITS)(post(url))
    expect(connections.size).toBe(2)
  })

  it('leaves 32 connections to its server at most, and none for longer than they may rest', async () => {
    const open = new Set<Socket>()
    const server = createServer((_request, response) => setTimeout(() => response.end('{}'), 50))
    // It would keep them for ever.
    server.keepAliveTimeout = 0
    server.on('connection', (socket) => {
      open.add(socket)
      socket.once('close', () => open.delete(socket))
    })
    const url = await listen(server)
    const client = createHttpClient({ ...LIMITS, timeoutMs: 5000, idleMs: 500 })
    await Promise.all(Array.from({ length: 40 }, () => client(post(url))))
    await expect.poll(() => open.size, { interval: 10, timeout: 400 }).toBe(32)
    await expect.poll(() => open.size, { timeout: 5000 }).toBe(0)
  })

  it('one after the other over a kept connection, leaves no listener behind', async () => {
    const warnings: Error[] = []
    const hear = (warning: Error) => warnings.push(warning)
    process.on('warning', hear)
    closing.push(() => Promise.resolve(process.off('warning', hear)))
    const url = await listen(createServer((_request, response) => response.end('{}')))
    const client = createHttpClient({ ...LIMITS, timeoutMs: 5000, idleMs: 5000 })
    for (let number = 0; number < 20; number += 1) await client(post(url))
    await new Promise(setImmediate)
    expect(warnings).toEqual([])
  })

  it('that ends with its connection comes whole, too', async () => {
    const server = createTcpServer((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\nuntil the end'))
    })
    expect(await createHttpClient(LIMITS)(post(await listen(server)))).toMatchObject({
      body: 'until the end',
    })
  })

  it.each([100, 102, 103])('comes whole after an interim answer %i that nobody asked for', async (status) => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined)
      socket.on('data', () => {
        socket.write(`HTTP/1.1 ${status} Interim\r\n\r\n`)
        setTimeout(() => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nright'), 20)
      })
    })
    const url = await listen(server)
    const client = createHttpClient({ ...LIMITS, idleMs: 5000 })
    for (let times = 1; times <= 2; times += 1)
      expect(await client(post(url))).toMatchObject({ status: 200, body: 'right' })
  })

  it('is never the second of two answers to the request before', async () => {
    const answer = (text: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`
    let asked = 0
    let closed: Promise<unknown> = Promise.resolve()
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined)
      closed = once(socket, 'close')
      socket.on('data', () => {
        asked += 1
        socket.write(answer(`right-${asked}`))
        setTimeout(() => socket.write(answer('wrong')), 20)
      })
    })
    const url = await listen(server)
    const client = createHttpClient({ ...LIMITS, idleMs: 5000 })
    for (let times = 1; times <= 3; times += 1) {
      expect(await client(post(url))).toMatchObject({ body: `right-${times}` })
      // The connection that the second answer came by is not kept for another request.
      await closed
    }
  })
})

describe('a name', () => {
  const resolver = {
    resolve4: () => Promise.resolve(['10.0.0.1', '203.0.113.7']),
    resolve6: () => Promise.reject(new Error('ENODATA')),
  }
  const lookUp = (lookup: ReturnType<typeof createNameLookup>, name: string) =>
    new Promise((resolve) => lookup(name, { all: true }, (error, found) => resolve(error ?? found)))

  it('leads to those of its addresses that may be reached, and to no other', async () => {
    const guarded = createNameLookup((address) => address.startsWith('203.'), resolver)
    expect(await lookUp(guarded, 'shop.example')).toEqual([{ address: '203.0.113.7', family: 4 }])
    const closed = createNameLookup(() => false, resolver)
    expect(await lookUp(closed, 'shop.example')).toMatchObject({ code: 'NOT_PUBLIC' })
    expect(await lookUp(closed, 'localhost')).toMatchObject({ code: 'NOT_PUBLIC' })
  })

  it('that cannot be found, or asked for, says which', async () => {
    const failing = (code: string) => {
      const fail = () => Promise.reject(new Error(`queryA ${code} shop.example`))
      return createNameLookup(() => true, { resolve4: fail, resolve6: fail })
    }
    expect(await lookUp(failing('ENOTFOUND'), 'shop.example')).toMatchObject({ code: 'ENOTFOUND' })
    expect(await lookUp(failing('ETIMEOUT'), 'shop.example')).toMatchObject({ code: 'EAI_AGAIN' })
  })

  it('whose server never answers ends with the request', async () => {
    const never = () => new Promise<string[]>(() => undefined)
    const lookup = createNameLookup(() => true, { resolve4: never, resolve6: never })
    await expect(
      createHttpClient({ ...LIMITS, lookup })(post('https://shop.example/')),
    ).rejects.toMatchObject({ code: 'TIMED_OUT', wasSent: false })
  })

  it('written as an address is guarded, too', async () => {
    const client = createHttpClient({ ...LIMITS, mayReach: () => false })
    for (const url of ['http://127.0.0.1:1/', 'http://[::1]:1/', 'http://0x7f.1:1/'])
      await expect(client(post(url))).rejects.toMatchObject({ code: 'NOT_PUBLIC', wasSent: false })
  })
})

const at = (server: string) => ({ url: `https://user:pass@${server}/v1?key=secret`, headers: {}, body: '{}' })

function listening(fault: () => Error) {
  let now = 0
  const told: object[] = []
  const parts = {
    tell: (facts: object) => told.push(facts),
    whose: 'a gateway',
    clock: { elapsedMs: () => now },
  }
  const send = toldSend(parts, () => Promise.reject(fault()))
  return {
    told,
    pass: (ms: number) => (now += ms),
    ask: (server: string) => send(at(server)).catch(() => undefined),
  }
}

it('tells of a server that gives no answer once a minute, and how often that was', async () => {
  const fault = () =>
    new NoAnswer('ECONNREFUSED', false, { server: 'a.example', step: 'connection', proxy: null })
  const { told, pass, ask } = listening(fault)
  for (let times = 0; times < 240; times += 1) {
    await ask('a.example')
    pass(250)
  }
  const facts = { server: 'a.example', code: 'ECONNREFUSED', step: 'connection' }
  expect(told).toEqual([{ ...facts, untold: 0 }])
  await ask('a.example')
  await ask('b.example:8443')
  expect(told.slice(1)).toEqual([
    { ...facts, untold: 239 },
    { ...facts, server: 'b.example:8443', untold: 0 },
  ])
})

it('tells of a proxy that lets nothing through once a minute, whatever the servers are', async () => {
  const at = { server: 'a.example', step: 'proxy', proxy: 'out.example:3128' } as const
  const { told, pass, ask } = listening(() => new NoAnswer('PROXY_403', false, at))
  for (const server of ['a.example', 'b.example', 'c.example']) await ask(server)
  const fault = 'no way to a.example through the proxy out.example:3128: it refuses to (PROXY_403)'
  const facts = { code: 'PROXY_403', step: 'proxy', proxy: 'out.example:3128', fault }
  expect(told).toEqual([{ ...facts, server: 'a.example', untold: 0 }])
  pass(60_000)
  await ask('c.example')
  expect(told.slice(1)).toEqual([{ ...facts, server: 'c.example', untold: 2 }])
})

it('tells nothing where the caller has stopped waiting', async () => {
  const { told, ask } = listening(() => new NoAnswer('STOPPED', true))
  await ask('a.example')
  expect(told).toEqual([])
})

it('remembers a thousand servers at most', async () => {
  const { told, pass, ask } = listening(() => new NoAnswer('TIMED_OUT', true))
  for (let number = 0; number < 1100; number += 1) await ask(`${number}.example`)
  expect(told).toHaveLength(1000)
  pass(60_000)
  await ask('one-more.example')
  expect(told).toHaveLength(1001)
})

it.each([
  ['the name of a server is unknown', 'http://nowhere.invalid', /: (?:ENOTFOUND|EAI_AGAIN) \(lookup\)$/],
  ['nobody listens at an address', 'http://[::1]:1', /: ECONNREFUSED \(connection\)$/],
  ['nobody listens at a name', 'http://localhost:1', /: ECONNREFUSED \(connection\)$/],
  ['nobody listens', 'http://127.0.0.1:1', /: ECONNREFUSED \(connection\)$/],
])('an answer that never comes says how far its request came: %s', async (_, url, words) => {
  const client = createHttpClient({ timeoutMs: 5000, maxBytes: 1000, wants: 'status', idleMs: 0 })
  const asked = client({ url: `${url}/x`, headers: {}, body: '' })
  await expect(asked).rejects.toThrow(words)
})

it('a gateway that cannot be reached is in the log with its cause, and without its key', async () => {
  const service = await createTestService()
  const account = { api_key: 'key-of-acme', merchant_account: 'Acme', base_url: 'http://127.0.0.1:1' }
  const gateway = { name: 'Adyen', type: 'adyen', isDefault: true, credentials: account }
  await service.merchants.addGateway(service.merchant.merchant.id, gateway)
  const { sell } = chargeCalls(service)
  for (const amount of ['10.00', '11.00'])
    await sell({ amount, currency: 'AUD', token: await service.tokenise() })
  const lines = service
    .logged()
    .split('\n')
    .filter((line) => line.includes('the server of a gateway'))
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('"server":"127.0.0.1:1","code":"ECONNREFUSED","step":"connection"')
  expect(lines[0]).not.toContain('key-of-acme')
  await service.close()
})
