import { fastify } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testCard } from '../../../testing/test-card.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { Answer, TestService } from '../../../testing/test-service.ts'
import { senderAt } from './sender.ts'
import { limitWastedWork, watchWork } from './wasted-work.ts'

const PROXY = '127.0.0.1'
const allowing = (msPerSecond: string) => ({
  settings: { SVC_RATE_LIMIT_WASTED_WORK: msPerSecond, SVC_TRUSTED_PROXIES: PROXY },
})

let service: TestService
beforeAll(async () => {
  service = await createTestService(allowing('2'))
})
afterAll(() => service.close())

const costly = { ...testCard, meta: { text: '\\u0034'.repeat(4000) } }
const tokenise = (address: string, payload: object): Promise<Answer> =>
  service.call({
    method: 'POST',
    url: '/v1/payment_sources/tokens',
    remoteAddress: PROXY,
    headers: { 'x-user-public-key': service.merchant.publicKey, 'x-forwarded-for': address },
    payload,
  })

/** Sends what is refused until it is not even looked at, or so often. */
async function waste(address: string, times: number): Promise<Answer> {
  let answer = await tokenise(address, costly)
  for (let sent = 1; sent < times && answer.status === 400; sent += 1)
    answer = await tokenise(address, costly)
  return answer
}

describe('what is refused, and costs much before that is known', () => {
  it('is not looked at any more, and says when it will be', async () => {
    const refused = await waste('192.0.2.1', 1000)
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('does not keep a good key of the same address from being served', async () => {
    const headers = { 'x-user-secret-key': service.merchant.secretKey, 'x-forwarded-for': '192.0.2.1' }
    const list = { url: '/v1/charges', remoteAddress: PROXY, headers }
    expect(await service.call(list)).toMatchObject({ status: 200 })
    expect(await service.call({ url: '/health', remoteAddress: PROXY, headers })).toMatchObject({
      status: 200,
    })
  })
})

/** What a request costs that is refused; a busy processor makes it look longer, by up to 10 ms. */
const COST_MS = 40

/** A limit of 500 ms for each caller, in a time that stands still. */
function createLimit() {
  const app = fastify()
  app.decorateRequest('sender', {
    getter() {
      return senderAt(this.socket.remoteAddress)
    },
  })
  watchWork(app)
  const limits = { wastedWorkPerAddress: { perSecond: 50, burst: 500 } }
  limitWastedWork(app, { limits, clock: { elapsedMs: () => 0 } })
  app.setErrorHandler((_error, _request, reply) => reply.code(429).send())
  app.post('/good', (_request, reply) => reply.code(201).send())
  app.post('/costly', (request, reply) => {
    request.workMs += COST_MS
    return reply.code(400).send()
  })
  const call = async (url: string, remoteAddress: string) =>
    (await app.inject({ method: 'POST', url, remoteAddress })).statusCode
  return {
    pay: (address: string) => call('/good', address),
    /** Sends what is refused until it is not even looked at. */
    waste: async (address: string) => {
      while ((await call('/costly', address)) === 400);
    },
  }
}

describe('work that is wasted', () => {
  it('by one phone does not keep out the others of its carrier; an IPv6 /48 counts together', async () => {
    const { pay, waste } = createLimit()
    await waste('2001:db8:7:1::1')
    expect(await pay('2001:db8:7:2::1')).toBe(201)
    for (const network of [2, 3, 4, 5]) await waste(`2001:db8:7:${network}::1`)
    expect(await pay('2001:db8:7:6::1')).toBe(429)
  })

  it('by some networks does not keep out who was never here', async () => {
    const { pay, waste } = createLimit()
    await pay('198.51.100.1')
    for (const network of [1, 2, 3, 4]) await waste(`198.51.100.${network}`)
    expect(await pay('203.0.113.1')).toBe(201)
    expect(await pay('198.51.100.1')).toBe(429)
  })

  it('by many networks leaves a place for those who were answered well before', async () => {
    const { pay, waste } = createLimit()
    expect(await pay('203.0.113.1')).toBe(201)
    for (let turn = 1; (await pay(`203.0.113.${turn + 1}`)) === 201; turn += 1)
      for (const network of [1, 2, 3, 4]) await waste(`198.51.${turn}.${network}`)
    expect(await pay('203.0.113.1')).toBe(201)
  })
})
