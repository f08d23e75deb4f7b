import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testCard } from '../../../testing/test-card.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { Answer, TestService } from '../../../testing/test-service.ts'

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

  it('of one phone does not keep out the others of its carrier; an IPv6 /48 counts together', async () => {
    await waste('2001:db8:7:1::1', 1000)
    expect(await tokenise('2001:db8:7:2::1', testCard)).toMatchObject({ status: 201 })
    await Promise.all([2, 3, 4, 5].map((network) => waste(`2001:db8:7:${network}::1`, 1000)))
    expect(await tokenise('2001:db8:7:6::1', testCard)).toMatchObject({ status: 429 })
  })

  it('of some networks does not keep out who was never here', async () => {
    const statuses = await afresh('6', async () => {
      await tokenise('198.51.100.1', testCard)
      const others = [1, 2, 3, 4].map((network) => `198.51.100.${network}`)
      await Promise.all(others.map((address) => waste(address, 1000)))
      const newcomer = await tokenise('203.0.113.1', testCard)
      return [newcomer.status, (await tokenise('198.51.100.1', testCard)).status]
    })
    expect(statuses).toEqual([201, 429])
  })

  it('of many networks leaves a place for those who were answered well before', async () => {
    await afresh('2', async () => {
      expect(await tokenise('203.0.113.1', testCard)).toMatchObject({ status: 201 })
      for (let turn = 1; (await tokenise(`203.0.113.${turn + 1}`, testCard)).status === 201; turn += 1)
        await Promise.all([1, 2, 3, 4].map((network) => waste(`198.51.${turn}.${network}`, 1000)))
      expect(await tokenise('203.0.113.1', testCard)).toMatchObject({ status: 201 })
    })
  })
})

/** Runs in a service in which nothing was wasted yet. */
async function afresh<Result>(msPerSecond: string, run: () => Promise<Result>): Promise<Result> {
  const before = service
  service = await createTestService(allowing(msPerSecond))
  try {
    return await run()
  } finally {
    await service.close()
    service = before
  }
}
