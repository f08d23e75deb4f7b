import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chargeCalls } from '../../../testing/charge-calls.ts'
import { testCard } from '../../../testing/test-card.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { Answer, TestService } from '../../../testing/test-service.ts'

const PROXY = '127.0.0.1'
const limited = {
  status: 429,
  body: { status: 429, error: { code: 'rate_limited' }, resource: { data: null } },
}

let service: TestService
beforeAll(async () => {
  service = await createTestService({
    settings: {
      SVC_RATE_LIMIT_PER_KEY: '5',
      SVC_RATE_LIMIT_PER_ADDRESS: '20',
      SVC_RATE_LIMIT_CARDS_PER_ADDRESS: '2',
      SVC_RATE_LIMIT_WRONG_KEYS: '3',
      SVC_TRUSTED_PROXIES: PROXY,
    },
  })
})
afterAll(() => service.close())

/** So many requests at once from one client behind the proxy. */
const many = (count: number, address: string, options: object): Promise<Answer[]> =>
  Promise.all(
    Array.from({ length: count }, () =>
      service.call({ remoteAddress: PROXY, ...headersFrom(address, options) }),
    ),
  )

function headersFrom(address: string, options: object): object {
  const headers = 'headers' in options && typeof options.headers === 'object' ? options.headers : {}
  return { ...options, headers: { ...headers, 'x-forwarded-for': address } }
}

const countOf = (answers: Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length

describe('too many requests are 429 with Retry-After', () => {
  it('with the keys of one merchant, whatever their addresses; another merchant goes on', async () => {
    const { secretKey } = await service.makeMerchant()
    const other = await service.makeMerchant()
    const list = (key: string) => ({ url: '/v1/charges', headers: { 'x-user-secret-key': key } })
    const answers = (
      await Promise.all([many(10, '192.0.2.1', list(secretKey)), many(10, '192.0.2.2', list(secretKey))])
    ).flat()
    expect(countOf(answers, 200)).toBeGreaterThanOrEqual(10)
    const refused = answers.find(({ status }) => status === 429)
    expect(refused).toMatchObject({ ...limited, headers: { 'retry-after': '1' } })
    expect(countOf(await many(3, '192.0.2.1', list(other.secretKey)), 200)).toBe(3)
  })

  it('from one address, without a key too; /health is never limited', async () => {
    const answers = await many(60, '192.0.2.3', { url: '/v1/nothing' })
    expect(countOf(answers, 404)).toBeGreaterThanOrEqual(40)
    expect(countOf(answers, 429)).toBeGreaterThanOrEqual(10)
    expect(countOf(await many(60, '192.0.2.3', { url: '/health' }), 200)).toBe(60)
    expect(countOf(await many(1, '192.0.2.4', { url: '/v1/nothing' }), 404)).toBe(1)
  })

  it('with cards from one address; the form of another origin can read why', async () => {
    const options = {
      method: 'POST',
      url: '/v1/payment_sources/tokens',
      headers: { 'x-user-public-key': service.merchant.publicKey },
      payload: testCard,
    }
    const answers = await many(8, '192.0.2.5', options)
    expect(countOf(answers, 201)).toBe(4)
    const refused = answers.find(({ status }) => status === 429)
    expect(refused).toMatchObject({ ...limited, body: { resource: { type: 'token' } } })
    expect(refused?.headers['access-control-allow-origin']).toBe('http://localhost:8080')
  })

  it('with wrong keys from one address; right ones go on, and so do other addresses', async () => {
    const wrong = { url: '/v1/charges', headers: { 'x-user-secret-key': 'sk_sandbox_guessed' } }
    const answers = await many(8, '192.0.2.6', wrong)
    expect([countOf(answers, 401), countOf(answers, 429)]).toEqual([3, 5])
    const right = { url: '/v1/charges', headers: { 'x-user-secret-key': service.merchant.secretKey } }
    expect(countOf(await many(2, '192.0.2.6', right), 200)).toBe(2)
    expect(countOf(await many(1, '192.0.2.7', wrong), 401)).toBe(1)
  })
})

describe('the address of a request', () => {
  it('is one whatever port a proxy writes behind it: its wrong keys are limited', async () => {
    const wrong = { url: '/v1/charges', headers: { 'x-user-secret-key': 'sk_sandbox_guessed' } }
    const statuses: number[] = []
    for (let port = 50_000; port < 50_006; port += 1)
      statuses.push(...(await many(1, `203.0.113.8:${port}`, wrong)).map(({ status }) => status))
    expect(statuses).toEqual([401, 401, 401, 429, 429, 429])
  })

  it.each([
    ['203.0.113.8:51234', '203.0.113.8'],
    ['"[2001:DB8::1]:443"', '2001:db8::1'],
    ['198.51.100.1, unknown', PROXY],
    ['0xcb.0.113.8', PROXY],
    ['', PROXY],
  ])('that a proxy writes as %j is kept as %s', async (written, kept) => {
    const { publicKey, secretKey } = await service.makeMerchant()
    const [tokenised] = await many(1, `192.0.2.${100 + written.length}`, {
      method: 'POST',
      url: '/v1/payment_sources/tokens',
      headers: { 'x-user-public-key': publicKey },
      payload: testCard,
    })
    const [sold] = await many(1, written, {
      method: 'POST',
      url: '/v1/charges',
      headers: { 'x-user-secret-key': secretKey },
      payload: { amount: '1.00', currency: 'AUD', token: tokenised?.body.resource.data },
    })
    expect(sold?.body.resource.data).toMatchObject({ _source_ip_address: kept })
  })

  it('is the client behind a trusted proxy, and the sender itself otherwise', async () => {
    const { secretKey } = await service.makeMerchant()
    const token = await service.tokenise()
    const sell = (remoteAddress: string) =>
      service.call({
        method: 'POST',
        url: '/v1/charges',
        remoteAddress,
        headers: { 'x-user-secret-key': service.merchant.secretKey, 'x-forwarded-for': '198.51.100.9' },
        payload: { amount: '1.00', currency: 'AUD', token },
      })
    expect(secretKey).not.toBe(service.merchant.secretKey)
    expect((await sell(PROXY)).body.resource.data).toMatchObject({ _source_ip_address: '198.51.100.9' })
    const direct = await createTestService()
    const calls = chargeCalls(direct)
    const answer = await direct.call({
      method: 'POST',
      url: '/v1/charges',
      remoteAddress: '203.0.113.5',
      headers: { ...calls.secret(), 'x-forwarded-for': '198.51.100.9' },
      payload: { amount: '1.00', currency: 'AUD', token: await direct.tokenise() },
    })
    expect(answer.body.resource.data).toMatchObject({ _source_ip_address: '203.0.113.5' })
    await direct.close()
  })
})
