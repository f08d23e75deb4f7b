import { setTimeout as pause } from 'node:timers/promises'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestService } from '../src/service/testing/test-service.ts'
import type { TestService } from '../src/service/testing/test-service.ts'
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
const isJson = (path: string) => path !== '/oauth/token' && !path.startsWith('/3ds/')

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
  if (path === '/v1/payment_sources/tokens' || path.startsWith('/3ds/')) return 32 * 1024
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

/**
 * What a request costs beyond a usual one, in ms of processor time. Both are measured anew, up to three times, until it is no more than
 * `allowed`: an answer of a megabyte costs more, the more memory these tests have come to hold.
 */
async function excessOf(
  request: () => Promise<unknown>,
  usual: () => Promise<unknown>,
  allowed: number,
): Promise<number> {
  let least = Infinity
  for (let tries = 0; tries < 3 && least > allowed; tries += 1) {
    const base = await costOf(usual)
    least = Math.min(least, (await costOf(request)) - base)
  }
  return least
}

describe('an unauthenticated request', () => {
  it('costs little, whatever it holds, on every public route', async (context) => {
    const statuses: number[] = []
    const costly: string[] = []
    const open = routes(false)
    expect(open.length).toBeGreaterThan(7)
    for (const [at, { name, limit, request }] of open.entries()) {
      // Who sends no gateway's signature is told nothing else.
      const tooLarge = name.startsWith('POST /gateways/') ? 401 : 413
      expect([name, (await request('x'.repeat(limit + 1))).statusCode]).toEqual([name, tooLarge])
      const usual = () => request('{}')
      for (const [what, body] of someOf(costlyBodies(limit), 6, at)) {
        statuses.push((await request(body)).statusCode)
        const excess = await excessOf(() => request(body), usual, MAX_EXCESS_MS)
        if (excess > MAX_EXCESS_MS) costly.push(`${name}, ${what}: ${excess.toFixed(1)} ms`)
      }
    }
    countAttack(context, statuses)
    expect(costly).toEqual([])
  })

  it('is refused before its body is read, on every route with a key', async (context) => {
    const statuses: number[] = []
    const costly: string[] = []
    const keyed = routes(true)
    expect(keyed.length).toBeGreaterThan(30)
    for (const { name, request } of keyed) {
      const usual = () => request('{}')
      for (const [what, body] of costlyBodies(64 * 1024).slice(0, isFull ? 99 : 1)) {
        const { statusCode } = await request(body)
        statuses.push(statusCode)
        const excess = await excessOf(() => request(body), usual, MAX_EXCESS_UNREAD_MS)
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
    for (const [at, path] of (isFull ? service.routes.map((route) => route.path) : paths).entries()) {
      const request = (headers: Record<string, string>) =>
        service.app.inject({
          url: path,
          remoteAddress: PROXY,
          headers: { 'x-forwarded-for': fromAnywhere(), ...headers },
        })
      for (const [name, value] of someOf(costlyHeaders(), 10, at)) {
        statuses.push((await request({ [name]: value })).statusCode)
        const excess = await excessOf(
          () => request({ [name]: value }),
          () => request({}),
          MAX_EXCESS_MS,
        )
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
it.runIf(isFull)('keeps nobody waiting, at thirty a second on each route', async (context) => {
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

/** What takes long to read, in proportion to its length: escapes within escapes, digits in groups, what Unicode makes longer. */
const COSTLY_TEXTS = [
  '\\u0034',
  '4111 ',
  '\uFDFA',
  'DE89 3704 0044 ',
  '4%341\\u0031&#49;',
  '４',
  ' +1234567',
  'a1b2c3d4',
  '4\u0301',
  'a@a.',
  '\u0001',
]

/** Names that routes open to anyone know. */
const FIELDS = [
  'email password code recovery_code token name response type gateway_id card_name card_number expire_month',
  'expire_year card_ccv first_name email phone meta payment_source address_line1 answer grant_type client_id',
].flatMap((names) => names.split(' '))

const repeated = (part: string, length: number): string =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length)

/** The longest of what `make` makes that is no longer than a body may be, in bytes. */
function fitting(limit: number, make: (length: number) => string): string {
  let length = limit
  let body = make(length)
  while (Buffer.byteLength(body) > limit && length > 16) {
    length = Math.floor(length * 0.8)
    body = make(length)
  }
  return body
}

/** Bodies in JSON of `limit` bytes that take as long to read and refuse as any that was found, by what is costly in them. */
function costlyBodies(limit: number): [string, string][] {
  const ofText = COSTLY_TEXTS.flatMap((text): [string, string][] => [
    [`a name of ${text}`, fitting(limit, (length) => JSON.stringify({ [repeated(text, length)]: 1 }))],
    [
      `fields of ${text}`,
      fitting(limit, (length) => {
        const value = repeated(text, Math.floor(length / FIELDS.length))
        return JSON.stringify(Object.fromEntries(FIELDS.map((field) => [field, value])))
      }),
    ],
    [
      `a text of ${text} below another`,
      fitting(limit, (length) => JSON.stringify({ meta: { a: { b: repeated(text, length) } } })),
    ],
  ])
  const names = (count: number) => Array.from({ length: count }, (_, at) => [`n${at}`, 1])
  const many = (one: unknown) => (length: number) => {
    const count = Math.floor(length / (JSON.stringify(one).length + 1))
    return JSON.stringify({ meta: Array.from({ length: count }, () => one) })
  }
  return [
    ...ofText,
    ['many names', fitting(limit, (length) => JSON.stringify(Object.fromEntries(names(length / 9))))],
    ['as many names as may be', fitting(limit, () => JSON.stringify(Object.fromEntries(names(999))))],
    ['one name again and again', fitting(limit, (length) => `{${repeated('"a":1,', length)}"a":1}`)],
    ['card numbers in texts', fitting(limit, many('5111111111111119'))],
    ['card numbers', fitting(limit, many(5_111_111_111_111_119))],
    [
      'lists of lists',
      fitting(limit, (length) => `[${repeated(`${'['.repeat(30)}${']'.repeat(30)},`, length)}1]`),
    ],
    ['no JSON', repeated('"', limit)],
  ]
}

/** Headers of as many characters as HTTP's reader takes, each with a name that something looks at before it is known who asks. */
function costlyHeaders(): [string, string][] {
  const long = (part: string) => repeated(part, 15_000)
  return [
    ['cookie', long('svc_session=%34;')],
    ['authorization', `Bearer ${long('a.')}`],
    ['authorization', `Bearer ${repeated('a', 4000)}.${repeated('a', 4000)}.a`],
    ['authorization', `Basic ${long('NDo0')}`],
    ['accept-encoding', long('gzip;q=0.1,')],
    ['if-none-match', long('"a",')],
    ['range', `bytes=${long('1')}`],
    ['traceparent', `00-${long('a')}`],
    ['x-request-id', long('4')],
    ['user-agent', long('\\u0034')],
    ['idempotency-key', long('4')],
    ['x-user-secret-key', long('4')],
    ['x-user-public-key', long('4')],
    ['x-forwarded-for', long('1.1.1.1,')],
    ['content-type', `application/json;${long(' a=b;')}`],
  ]
}
