import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { tokenHashOf } from '../payment-sources/token-store.ts'
import { chargeCalls } from '../../testing/charge-calls.ts'
import type { ChargeCalls } from '../../testing/charge-calls.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'

let service: TestService
let calls: ChargeCalls
beforeAll(async () => {
  service = await createTestService()
  calls = chargeCalls(service)
})
afterAll(() => service.close())

describe('a token', () => {
  it('serves one charge', async () => {
    const token = await service.tokenise()
    expect((await calls.sell({ amount: 1, currency: 'AUD', token })).status).toBe(201)
    expect(await calls.sell({ amount: 1, currency: 'AUD', token })).toMatchObject({
      status: 400,
      body: { error: { code: 'token_not_found' }, resource: { data: null } },
    })
  })

  it.each([
    ['reference', (token: string) => ({ reference: token })],
    ['description', (token: string) => ({ description: `paid with ${token.toUpperCase()}` })],
    ['customer', (token: string) => ({ customer: { last_name: token } })],
  ])('may not be repeated in %s, where it would be kept', async (_field, textWith) => {
    const token = await service.tokenise()
    const answer = await calls.sell({ amount: 1, currency: 'AUD', token, ...textWith(token) })
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'validation_error' } } })
    expect((await calls.sell({ amount: 1, currency: 'AUD', token })).status).toBe(201)
  })

  it('that is used as an idempotency key too is kept nowhere', async () => {
    const token = await service.tokenise()
    const { status } = await service.call({
      method: 'POST',
      url: '/v1/charges',
      headers: { 'x-user-secret-key': service.merchant.secretKey, 'idempotency-key': token },
      payload: { amount: 1, currency: 'AUD', token },
    })
    expect(status).toBe(201)
    const keys = testStatement<{ idempotency_key_hash: string }>(
      't_keys_with_tokens',
      "SELECT idempotency_key_hash FROM attempts WHERE idempotency_key_hash LIKE '%' || $1 || '%'",
    )
    expect(await service.database.run(keys, [token])).toEqual([])
  })

  it('is not looked up for a request that bears no key', async () => {
    const looks = vi.spyOn(service.database.grouped, 'run')
    const payload = { amount: 1, currency: 'AUD', token: await service.tokenise() }
    const looksBefore = looks.mock.calls.length
    const { status } = await service.call({ method: 'POST', url: '/v1/charges', payload })
    expect(status).toBe(401)
    expect(looks.mock.calls.length).toBe(looksBefore)
    looks.mockRestore()
  })

  it('serves one of many charges that want it at once', async () => {
    const token = await service.tokenise()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => calls.sell({ amount: 1, currency: 'AUD', token })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(400)])
  })

  it('is not spent when the gateway cannot be reached', async () => {
    const token = await service.tokenise()
    expect(await calls.sell({ amount: '9000.91', currency: 'AUD', token })).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
      body: { error: { code: 'gateway_unavailable' } },
    })
    expect((await calls.sell({ amount: '9000.00', currency: 'AUD', token })).status).toBe(201)
  })

  it('is not spent by a request that is refused', async () => {
    const token = await service.tokenise()
    for (const amount of ['abc', '-1', '10.001', '0']) {
      expect((await calls.sell({ amount, currency: 'AUD', token })).status).toBe(400)
    }
    expect((await calls.sell({ amount: '1', currency: 'USD', token })).status).toBe(400)
    expect((await calls.sell({ amount: '1', currency: 'AUD', token })).status).toBe(201)
  })

  it("is another merchant's business", async () => {
    const other = await service.makeMerchant()
    const token = await service.tokenise({}, other)
    expect((await calls.sell({ amount: '1', currency: 'AUD', token })).body.error?.code).toBe(
      'token_not_found',
    )
  })

  it('ends after three hours', async () => {
    const token = await service.tokenise()
    const expire = testStatement(
      't_expire',
      "UPDATE payment_source_tokens SET expires_at = now() - interval '1 second' WHERE token_hash = $1",
    )
    await service.database.run(expire, [tokenHashOf(token)])
    expect((await calls.sell({ amount: '1', currency: 'AUD', token })).body.error?.code).toBe(
      'token_not_found',
    )
    await service.runJob('erase expired tokens')
    const kept = testStatement(
      't_kept',
      'SELECT card_number, card_ccv FROM payment_source_tokens WHERE token_hash = $1',
    )
    expect(await service.database.run(kept, [tokenHashOf(token)])).toEqual([
      { card_number: null, card_ccv: null },
    ])
  })

  it('loses its card when it is spent', async () => {
    const token = await service.tokenise()
    await calls.sell({ amount: '1', currency: 'AUD', token })
    const kept = testStatement(
      't_spent',
      'SELECT card_number, card_ccv FROM payment_source_tokens WHERE token_hash = $1',
    )
    expect(await service.database.run(kept, [tokenHashOf(token)])).toEqual([
      { card_number: null, card_ccv: null },
    ])
  })
})
