import { createServer } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import * as v from 'valibot'
import { afterEach, expect, it } from 'vitest'
import { createDial } from './dial.ts'
import { exchange, createHttpClient } from './http-client.ts'
import { createConnections } from './kept-connections.ts'
import { createNameLookup } from './public-address.ts'

const LIMITS = { timeoutMs: 1000, maxBytes: 10_000, wants: 'whole answer', idleMs: 5000 } as const
const post = (url: string) => ({ url, headers: {}, body: '{}' })
const closing: (() => Promise<unknown>)[] = []
afterEach(() => Promise.all(closing.splice(0).map((close) => close())))

/** At every address of this machine; `open`: its connections. */
async function listen(server: Server): Promise<{ port: string; open: Set<Socket> }> {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => undefined).once('close', () => open.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  closing.push(() => {
    for (const socket of open) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  return { port: String(v.parse(v.object({ port: v.number() }), server.address()).port), open }
}

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'

it('a kept connection closed at the next request is replaced, if the request may be repeated', async () => {
  const lost: number[] = []
  let connections = 0
  const server = createTcpServer((socket) => {
    const number = (connections += 1)
    socket.once('data', () => {
      socket.write(ANSWER)
      socket.once('data', () => {
        lost.push(number)
        socket.destroy()
      })
    })
  })
  const { port } = await listen(server)
  const request = post(`http://127.0.0.1:${port}/`)
  const repeating = createHttpClient({ ...LIMITS, mayRepeat: true })
  for (let times = 0; times < 2; times += 1) expect(await repeating(request)).toMatchObject({ status: 200 })
  expect({ lost, connections }).toEqual({ lost: [1], connections: 2 })

  const careful = createHttpClient(LIMITS)
  await careful(request)
  await expect(careful(request)).rejects.toMatchObject({ wasSent: true })
  expect({ lost, connections }).toEqual({ lost: [1, 3], connections: 3 })
})

it('a request that was begun is begun by no other connection, however it ended', async () => {
  const came: string[] = []
  const server = createTcpServer((socket) => {
    socket.on('data', (chunk) => {
      came.push(chunk.toString())
      if (came.length === 1) socket.write(ANSWER)
    })
  })
  const { port } = await listen(server)
  const sockets: Socket[] = []
  const dial = createDial({})
  const connections = createConnections(
    (target, watch) => dial(target, { ...watch, hold: (socket) => void sockets.push(socket) }),
    5000,
  )
  const url = new URL(`http://127.0.0.1:${port}/`)
  const connection = connections.create(url)
  const request = { method: 'POST', path: '/', body: '{}' }
  const ask = () => exchange(connection, { request, signal: undefined, proxy: null }, LIMITS)
  await ask()
  connection.begin()
  const asked = ask()
  await expect.poll(() => came.length).toBe(2)
  // By this code undici knows an end that is no fault, after which it begins anew what was under way.
  sockets[0]?.destroy(Object.assign(new Error('idle'), { code: 'UND_ERR_INFO' }))
  await expect(asked).rejects.toMatchObject({ code: 'CLOSED', wasSent: true })
  expect(came).toHaveLength(2)
  connection.destroy()
})

it('a new connection that its server closes: the request is not repeated', async () => {
  let connections = 0
  const server = createTcpServer((socket) => {
    connections += 1
    socket.once('data', () => socket.destroy())
  })
  const { port } = await listen(server)
  const repeating = createHttpClient({ ...LIMITS, mayRepeat: true })
  await expect(repeating(post(`http://127.0.0.1:${port}/`))).rejects.toMatchObject({ wasSent: true })
  expect(connections).toBe(1)
})

it('a request that is repeated has the time of one', async () => {
  let connections = 0
  const server = createTcpServer((socket) => {
    connections += 1
    if (connections > 1) return
    socket.once('data', () => {
      socket.write(ANSWER)
      socket.once('data', () => setTimeout(() => socket.destroy(), 600))
    })
  })
  const { port } = await listen(server)
  const client = createHttpClient({ ...LIMITS, mayRepeat: true })
  await client(post(`http://127.0.0.1:${port}/`))
  const began = Date.now()
  await expect(client(post(`http://127.0.0.1:${port}/`))).rejects.toMatchObject({ code: 'TIMED_OUT' })
  expect(connections).toBe(2)
  expect(Date.now() - began).toBeLessThan(1400)
})

it('a repeated request goes to no forbidden address, even if its name has come to have it', async () => {
  const came: (string | undefined)[] = []
  const server = createTcpServer((socket) => {
    came.push(socket.localAddress)
    socket.once('data', () => {
      socket.write(ANSWER)
      socket.once('data', () => socket.destroy())
    })
  })
  const { port } = await listen(server)
  const mayReach = (address: string) => address === '127.0.0.1'
  let address = '127.0.0.1'
  const resolver = { resolve4: () => Promise.resolve([address]), resolve6: () => Promise.resolve([]) }
  const lookup = createNameLookup(mayReach, resolver)
  const client = createHttpClient({ ...LIMITS, mayRepeat: true, mayReach, lookup })
  const request = post(`http://shop.example:${port}/`)
  await client(request)
  address = '127.0.0.2'
  await expect(client(request)).rejects.toMatchObject({ code: 'NOT_PUBLIC' })
  expect(came).toEqual(['127.0.0.1'])
})

it('1,024 connections are kept in all, however many servers there are', { timeout: 60_000 }, async () => {
  const server = createServer((_request, response) => setTimeout(() => response.end('{}'), 300))
  server.keepAliveTimeout = 0
  const { port, open } = await listen(server)
  const client = createHttpClient({ ...LIMITS, timeoutMs: 30_000, idleMs: 60_000 })
  const urls = Array.from({ length: 1080 }, (_, at) => `http://127.2.${at % 54}.1:${port}/`)
  await Promise.all(urls.map((url) => client(post(url))))
  await expect.poll(() => open.size, { timeout: 10_000 }).toBe(1024)
  await Promise.all(urls.slice(0, 100).map((url) => client(post(url))))
  await expect.poll(() => open.size, { timeout: 10_000 }).toBe(1024)
})
