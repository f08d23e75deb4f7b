import { setTimeout as pause } from 'node:timers/promises'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestService } from '../src/service/testing/test-service.ts'
import type { TestService } from '../src/service/testing/test-service.ts'
import { costlyBodies, costlyHeaders } from './costly-requests.ts'
import { countAttack } from './counted.ts'
import { isFull, someOf } from './strength.ts'

const PROXY = '127.0.0.1'
/** Of processor time, in ms, that a request may cost beyond what the same route takes for a request without anything costly. */
const MAX_EXCESS_MS = 8
/** Of nobody who may ask: refused before the body is read. */
const MAX_EXCESS_UNREAD_MS = 4
/** What 95 of 100 requests of a merchant may take meanwhile, in ms. */
const MAX_WAIT_MS = 100

let service: TestService
beforeAll(async () => {
  service = await createTestService({
    settings: { SVC_RATE_LIMIT_WRONG_KEYS: '99999999', SVC_TRUSTED_PROXIES: PROXY },
  })
})
afterAll(() => service.close())

interface Open {
  name: string
  /** How long its body may be, in bytes. */
  limit: number
  request: (payload: string) => Promise<{ statusCode: number }>
}

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const
const isJson = (path: string) => path !== '/oauth/token'

let networks = 0
/** Each request comes from a network of its own, so that no limit by address hides what it costs. */
const fromAnywhere = () => {
  networks += 1
  return `198.${18 + (networks >> 16)}.${(networks >> 8) & 255}.${networks & 255}`
}

/** Every route that takes a body; `isIdentified`: of those that ask for a key, which nobody has here. */
function routes(asksForKey: boolean): Open[] {
  const { publicKey } = service.merchant
  const ofApi = service.routes.map(({ method, path, operation }) => ({
    app: service.app,
    method,
    path: path.replace(/\{\w+\}/g, 'a'.repeat(24)),
    headers: { 'x-user-public-key': publicKey },
    // A public key stands in every page of its merchant.
    isOpen: operation === undefined || operation.key === 'none' || operation.key === 'public',
  }))
  const ofDashboard = service.dashboard.routes.map(({ method, path, permission }) => ({
    app: service.dashboard.app,
    method,
    path: path.replace(/:\w+/g, 'a'.repeat(24)),
    headers: { origin: 'http://localhost:8070' },
    isOpen: permission === 'none',
  }))
  return [...ofApi, ...ofDashboard].flatMap(({ app, method, path, headers, isOpen }) => {
    const known = METHODS.find((one) => one === method)
    if (known === undefined || isOpen === asksForKey) return []
    const type = isJson(path) ? 'application/json' : 'application/x-www-form-urlencoded'
    const request = (payload: string) =>
      app.inject({
        method: known,
        url: path,
        remoteAddress: PROXY,
        headers: { ...headers, 'content-type': type, 'x-forwarded-for': fromAnywhere() },
        payload,
      })
    return [{ name: `${method} ${path}`, limit: limitOf(path), request }]
  })
}

/** The longest body that a route reads. Longer ones are refused by their length; the test says where this is not true. */
function limitOf(path: string): number {
  if (path === '/v1/payment_sources/tokens') return 32 * 1024
  if (path.endsWith('/answers')) return 1024
  return path === '/api/session/passkey' ? 16 * 1024 : 4096
}

/** Processor time of this process for one request, in ms: the least of some rounds, as collections of garbage fall into some. */
async function costOf(ask: () => Promise<unknown>): Promise<number> {
  let least = Infinity
  for (let round = 0; round < 4; round += 1) {
    const begun = process.cpuUsage()
    for (let times = 0; times < 3; times += 1) await ask()
    const { user, system } = process.cpuUsage(begun)
    least = Math.min(least, (user + system) / 3000)
  }
  return least
}

describe('a request of nobody who is known', () => {
  it('costs little, whatever it holds, on every route that anyone may ask', async (context) => {
    const statuses: number[] = []
    const costly: string[] = []
    const open = routes(false)
    expect(open.length).toBeGreaterThan(7)
    for (const [at, { name, limit, request }] of open.entries()) {
      expect([name, (await request('x'.repeat(limit + 1))).statusCode]).toEqual([name, 413])
      const usual = await costOf(() => request('{}'))
      for (const [what, body] of someOf(costlyBodies(limit), 6, at)) {
        statuses.push((await request(body)).statusCode)
        const excess = (await costOf(() => request(body))) - usual
        if (excess > MAX_EXCESS_MS) costly.push(`${name}, ${what}: ${excess.toFixed(1)} ms`)
      }
    }
    countAttack(context, statuses)
    expect(costly).toEqual([])
  })

  it('is refused before its body is read, on every route that asks for a key', async (context) => {
    const statuses: number[] = []
    const costly: string[] = []
    const keyed = routes(true)
    expect(keyed.length).toBeGreaterThan(30)
    for (const { name, request } of keyed) {
      const usual = await costOf(() => request('{}'))
      for (const [what, body] of costlyBodies(64 * 1024).slice(0, isFull ? 99 : 1)) {
        const { statusCode } = await request(body)
        statuses.push(statusCode)
        const excess = (await costOf(() => request(body))) - usual
        if (statusCode !== 401 || excess > MAX_EXCESS_UNREAD_MS)
          costly.push(`${name}, ${what}: ${statusCode}, ${excess.toFixed(1)} ms`)
      }
    }
    countAttack(context, statuses)
    expect(costly).toEqual([])
  })

  it('costs little, whatever its headers hold', async (context) => {
    const statuses: number[] = []
    const costly: string[] = []
    const paths = [
      '/v1/charges',
      '/agreements',
      '/v1/checkouts/session',
      '/openapi.json',
      '/docs',
      '/nothing',
    ]
    for (const path of isFull ? service.routes.map((route) => route.path) : paths) {
      const request = (headers: Record<string, string>) =>
        service.app.inject({
          url: path,
          remoteAddress: PROXY,
          headers: { 'x-forwarded-for': fromAnywhere(), ...headers },
        })
      for (const [name, value] of costlyHeaders()) {
        // Measured anew each time: an answer of a megabyte costs more, the more memory these tests have come to hold.
        const usual = await costOf(() => request({}))
        statuses.push((await request({ [name]: value })).statusCode)
        const excess = (await costOf(() => request({ [name]: value }))) - usual
        if (excess > MAX_EXCESS_MS) costly.push(`${path}, ${name}: ${excess.toFixed(1)} ms`)
      }
    }
    countAttack(context, statuses)
    expect(costly).toEqual([])
  })
})

/** Of the bodies of a route the one that takes longest. */
async function costliestFor({ limit, request }: Open): Promise<string> {
  let [most, costliest] = [0, '']
  for (const [, body] of costlyBodies(limit)) {
    const cost = await costOf(() => request(body))
    if (cost > most) [most, costliest] = [cost, body]
  }
  return costliest
}

/** How long 95 of 100 requests of a merchant take at most, in ms, while somebody else sends something thirty times a second. */
async function waitOfMerchant(sendOther: () => void): Promise<number> {
  const headers = { 'x-user-secret-key': service.merchant.secretKey }
  const list: InjectOptions = { url: '/v1/charges?limit=1', remoteAddress: '203.0.113.1', headers }
  const times: number[] = []
  for (let turn = 0; turn < 90; turn += 1) {
    const begun = performance.now()
    sendOther()
    expect((await service.app.inject(list)).statusCode).toBe(200)
    times.push(performance.now() - begun)
    await pause(Math.max(0, 33 - (performance.now() - begun)))
  }
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)] ?? 0
}

/** A machine that is busy with other work delays a round, but not each of them. */
const ROUNDS = 4

/** Measures time as it passes, so it is a part of the long form alone. */
it.runIf(isFull)('thirty such requests a second on each route keep nobody waiting', async (context) => {
  const statuses: number[] = []
  const slow: string[] = []
  const open = routes(false)
  for (const [at, route] of [...open, ...routes(true)].entries()) {
    const body = at < open.length ? await costliestFor(route) : (costlyBodies(route.limit)[0]?.[1] ?? '')
    const send = () => void route.request(body).then(({ statusCode }) => statuses.push(statusCode))
    let wait = Infinity
    for (let round = 0; round < ROUNDS && wait > MAX_WAIT_MS; round += 1)
      wait = Math.min(wait, await waitOfMerchant(send))
    if (wait > MAX_WAIT_MS) slow.push(`${route.name}: ${wait.toFixed(0)} ms`)
  }
  countAttack(context, statuses)
  expect(slow).toEqual([])
})
