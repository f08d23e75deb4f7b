import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testCard } from '../../../testing/test-card.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { Answer, TestService } from '../../../testing/test-service.ts'

const PROXY = '127.0.0.1'
const PER_SECOND = 2

let service: TestService
beforeAll(async () => {
  service = await createTestService({
    settings: { SVC_RATE_LIMIT_WASTED_WORK: String(PER_SECOND), SVC_TRUSTED_PROXIES: PROXY },
  })
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

  it('counts together for every /64 of one IPv6 /48', async () => {
    await waste('2001:db8:7:1::1', 1000)
    expect(await tokenise('2001:db8:7:2::1', testCard)).toMatchObject({ status: 429 })
  })

  it('of many networks leaves a place for those who were answered well before', async () => {
    const another = await createTestService({
      settings: { SVC_RATE_LIMIT_WASTED_WORK: String(PER_SECOND), SVC_TRUSTED_PROXIES: PROXY },
    })
    const first = service
    service = another
    expect(await tokenise('203.0.113.1', testCard)).toMatchObject({ status: 201 })
    for (let turn = 1; (await tokenise(`203.0.113.${turn + 1}`, testCard)).status === 201; turn += 1)
      await Promise.all([1, 2, 3, 4].map((network) => waste(`198.51.${turn}.${network}`, 20)))
    expect(await tokenise('203.0.113.1', testCard)).toMatchObject({ status: 201 })
    service = first
    await another.close()
  })
})
