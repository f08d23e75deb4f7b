import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Server } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import * as v from 'valibot'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { refusing, startEgressProxy } from '../../testing/egress-proxy.ts'
import type { EgressProxy } from '../../testing/egress-proxy.ts'
import { hostileNames, startHostileServer } from '../../testing/hostile-servers.ts'
import { LOCAL_CERTIFICATE, TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from '../../testing/test-certificate.ts'
import { createHttpClient } from './http-client.ts'
import { createNameLookup } from './public-address.ts'
import { NoAnswer } from './no-answer.ts'
import { proxyOf } from './proxy.ts'

const known = getCACertificates('default')
beforeAll(() => setDefaultCACertificates([...known, TEST_CERTIFICATE, LOCAL_CERTIFICATE]))
afterAll(() => setDefaultCACertificates(known))

const closing: (() => Promise<unknown>)[] = []
afterEach(() => Promise.all(closing.splice(0).map((close) => close())))

const LIMITS = { timeoutMs: 5000, maxBytes: 10_000, wants: 'whole answer', idleMs: 0 } as const
const post = (url: string) => ({ url, headers: {}, body: '{}' })

async function proxied(isEncrypted = false): Promise<EgressProxy> {
  const proxy = await startEgressProxy({ isEncrypted })
  closing.push(proxy.close)
  return proxy
}

/** A shop at every address of this machine; `certificate`: it is `db.example` then. */
async function shop(isEncrypted = true): Promise<{ port: string; came: IncomingMessage[] }> {
  const came: IncomingMessage[] = []
  const answer = (request: IncomingMessage, response: { end: (text: string) => void }) => {
    came.push(request)
    request.resume()
    response.end('{"ok":true}')
  }
  const server: Server & { closeAllConnections: () => void } = isEncrypted
    ? createTlsServer({ cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY }, answer)
    : createServer(answer)
  server.listen(0, '::')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return { port: String(v.parse(v.object({ port: v.number() }), server.address()).port), came }
}

/** Looks every name up as these addresses. */
const leadingTo = (addresses: () => string[], mayReach: (address: string) => boolean = () => true) => ({
  mayReach,
  lookup: createNameLookup(mayReach, {
    resolve4: () => Promise.resolve(addresses().filter((one) => !one.includes(':'))),
    resolve6: () => Promise.resolve(addresses().filter((one) => one.includes(':'))),
  }),
})

describe('a request through a proxy', () => {
  it.each([
    ['http', 'http', false],
    ['http', 'https', true],
    ['https', 'http', false],
    ['https', 'https', true],
  ])(
    'by %s reaches a server of %s: the proxy hears its address, the server its name',
    async (by, to, isTls) => {
      const proxy = await proxied(by === 'https')
      const { port, came } = await shop(isTls)
      const client = createHttpClient({
        ...LIMITS,
        ...leadingTo(() => ['127.0.0.1']),
        proxy: proxyOf(proxy.url),
      })
      expect(await client(post(`${to}://db.example:${port}/`))).toMatchObject({
        status: 200,
        body: '{"ok":true}',
      })
      expect(proxy.asked).toEqual([`127.0.0.1:${port}`])
      expect(came.map(({ headers }) => headers.host)).toEqual([`db.example:${port}`])
      await expect.poll(proxy.open).toBe(0)
    },
  )

  it('shows user and password to the proxy alone', async () => {
    const proxy = await proxied()
    const { port, came } = await shop()
    const url = proxy.url.replace('://', '://our%20user:p%40ss:w%C3%B6rd@')
    const client = createHttpClient({ ...LIMITS, ...leadingTo(() => ['127.0.0.1']), proxy: proxyOf(url) })
    await client(post(`https://db.example:${port}/`))
    expect(proxy.shown).toEqual([`Basic ${Buffer.from('our user:p@ss:wörd').toString('base64')}`])
    expect(Object.keys(came[0]?.headers ?? {})).not.toContain('proxy-authorization')
    proxy.treat(refusing(407))
    const refused = await client(post(`https://db.example:${port}/`)).catch(String)
    expect(refused).toBe(
      `NoAnswer: no way to db.example:${port} through the proxy ${new URL(proxy.url).host}: it does not take the user and password of the setting (PROXY_407)`,
    )
  })

  it('goes by the way of the one before, while that is kept', async () => {
    const proxy = await proxied()
    const { port, came } = await shop()
    const reach = { ...leadingTo(() => ['127.0.0.1']), proxy: proxyOf(proxy.url) }
    const client = createHttpClient({ ...LIMITS, ...reach, idleMs: 5000 })
    for (let times = 0; times < 3; times += 1) await client(post(`https://db.example:${port}/`))
    expect({ asked: proxy.asked.length, came: came.length }).toEqual({ asked: 1, came: 3 })
  })

  it('asks for IPv4 first, then for the next address that the proxy may reach', async () => {
    const proxy = await proxied()
    const { port } = await shop()
    const reach = { ...leadingTo(() => ['::1', '127.0.0.2', '127.0.0.1']), proxy: proxyOf(proxy.url) }
    const client = createHttpClient({ ...LIMITS, ...reach })
    proxy.treat((socket, open) => {
      if (proxy.asked.length < 3) refusing(502)?.(socket, open)
      else open()
    })
    expect(await client(post(`https://db.example:${port}/`))).toMatchObject({ status: 200 })
    expect(proxy.asked).toEqual([`127.0.0.2:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`])
  })
})

describe('behind a proxy the guard', () => {
  it('lets no name lead to an inner address: the proxy is not even asked', async () => {
    const proxy = await proxied()
    const reach = leadingTo(
      () => ['10.0.0.1'],
      (address) => !address.startsWith('10.'),
    )
    const client = createHttpClient({ ...LIMITS, ...reach, proxy: proxyOf(proxy.url) })
    for (const host of ['shop.example', '10.0.0.1'])
      await expect(client(post(`https://${host}/`))).rejects.toMatchObject({
        code: 'NOT_PUBLIC',
        wasSent: false,
      })
    expect(proxy.asked).toEqual([])
  })

  it('holds when a name is moved between two requests', async () => {
    const proxy = await proxied()
    const { port } = await shop()
    let address = '127.0.0.1'
    const reach = leadingTo(
      () => [address],
      (one) => one === '127.0.0.1',
    )
    const client = createHttpClient({ ...LIMITS, ...reach, proxy: proxyOf(proxy.url) })
    await client(post(`https://db.example:${port}/`))
    address = '127.0.0.2'
    await expect(client(post(`https://db.example:${port}/`))).rejects.toMatchObject({ code: 'NOT_PUBLIC' })
    expect(proxy.asked).toEqual([`127.0.0.1:${port}`])
  })

  it('trusts no server whose certificate is for another name', async () => {
    const proxy = await proxied()
    const { port, came } = await shop()
    const reach = leadingTo(() => ['127.0.0.1'])
    const client = createHttpClient({ ...LIMITS, ...reach, proxy: proxyOf(proxy.url) })
    await expect(client(post(`https://shop.example:${port}/`))).rejects.toMatchObject({
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
      step: 'handshake',
      wasSent: false,
    })
    expect(came).toEqual([])
  })
})

/** Whatever comes of a hostile proxy; what it takes for a way ends with the first words of TLS. */
const BY_PROXY =
  /^(?:PROXY_(?:TIMED_OUT|CLOSED|ECONNRESET|UPGRADED|UNASKED_ANSWER|NOT_HTTP|CUT_OFF|HEADERS_TOO_LONG|ERR_SSL_\w+|10[123]|307)|ERR_SSL_\w+|ECONNRESET)$/

describe('through a proxy that', () => {
  const through = (url: string) =>
    createHttpClient({ ...LIMITS, timeoutMs: 300, proxy: proxyOf(url) })(post('https://203.0.113.7/')).catch(
      (error: unknown) => error,
    )

  it.each(hostileNames)('%s: nothing is sent, and nothing is left of the connection', async (name) => {
    const proxy = await startHostileServer(name)
    closing.push(proxy.close)
    const ended = await through(proxy.url)
    expect(ended).toMatchObject({ wasSent: false })
    expect(ended instanceof NoAnswer ? ended.code : ended).toMatch(BY_PROXY)
    expect(proxy.connections().made).toBe(1)
    await expect.poll(() => proxy.connections().open).toBe(0)
  })

  it.each([
    [407, 'it does not take the user and password of the setting (PROXY_407)'],
    [403, 'it refuses to (PROXY_403)'],
    [302, 'it refuses to (PROXY_302)'],
    [502, 'it cannot reach the server (PROXY_502)'],
  ])('answers %i: it is asked once, and the words say why', async (status, words) => {
    const proxy = await proxied()
    proxy.treat(refusing(status))
    const { host } = new URL(proxy.url)
    expect(await through(proxy.url)).toMatchObject({
      message: `no way to 203.0.113.7 through the proxy ${host}: ${words}`,
      wasSent: false,
      step: 'proxy',
      proxy: host,
    })
    expect(proxy.asked).toEqual(['203.0.113.7:443'])
    await expect.poll(proxy.open).toBe(0)
  })

  it.each([
    ['hangs', () => undefined, 'it does not answer in time (PROXY_TIMED_OUT)'],
    ['hangs up', (socket: { end: () => void }) => socket.end(), 'it closed the connection (PROXY_CLOSED)'],
    [
      'speaks no HTTP',
      (socket: { write: (text: string) => void }) => socket.write('SSH-2.0-OpenSSH_9.2\r\n'),
      'it does not speak HTTP as it should (PROXY_NOT_HTTP)',
    ],
    [
      'answers in the name of the server',
      (socket: { write: (text: string) => void }) =>
        socket.write('HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'),
      'it does not speak HTTP as it should (PROXY_UNASKED_ANSWER)',
    ],
  ])('%s: the words say so', async (_, treat, words) => {
    const proxy = await proxied()
    proxy.treat(treat)
    const ended = await through(proxy.url)
    expect(ended).toMatchObject({ wasSent: false, step: 'proxy' })
    expect(String(ended)).toContain(words)
    await expect.poll(proxy.open).toBe(0)
  })

  it('nobody runs: nothing was sent', async () => {
    const proxy = await startEgressProxy()
    await proxy.close()
    expect(await through(proxy.url)).toMatchObject({
      code: 'PROXY_ECONNREFUSED',
      wasSent: false,
      step: 'proxy',
    })
  })

  it('ends the way before TLS is agreed on: nothing was sent', async () => {
    const proxy = await proxied()
    proxy.treat((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.once('data', () => socket.destroy())
    })
    expect(await through(proxy.url)).toMatchObject({ wasSent: false, step: 'handshake', proxy: null })
  })

  it('dies with a request on its way: that may have arrived', async () => {
    const proxy = await proxied()
    const client = createHttpClient({ ...LIMITS, proxy: proxyOf(proxy.url) })
    proxy.treat((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.once('data', () => socket.destroy())
    })
    await expect(client(post('http://203.0.113.7/'))).rejects.toMatchObject({
      wasSent: true,
      step: 'answer',
      proxy: null,
    })
  })
})
