import { afterEach, describe, expect, it } from 'vitest'
import { agreement, ID, startTestShop } from '../testing/test-shop.ts'
import type { Asked } from '../testing/service-double.ts'

const PAGE = 'c4d6f6a0-2f3a-4c35-8a5e-0d9d1f1c7b11'
const form = { page: PAGE, plan: 'weekly', name: 'Grace', pay_by: 'pay_id', pay_id: 'grace@example.com' }

const closings: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closings.splice(0)) await close()
})
async function shop(answer?: Parameters<typeof startTestShop>[0]) {
  const started = await startTestShop(answer)
  closings.push(started.close)
  return started
}
const pathsOf = (asked: readonly Asked[]) => asked.map(({ method, path }) => `${method} ${path}`)

describe('a subscription', () => {
  it('is an agreement that the service collects by itself, asked for with a token', async () => {
    const { post, asked } = await shop()
    const answer = await post('/api/subscriptions', form)
    expect([answer.statusCode, answer.json()]).toEqual([201, { id: ID }])
    expect(asked[0]?.body).toBe('grant_type=client_credentials&client_id=me&client_secret=cs_1')
    expect(asked[1]).toMatchObject({
      method: 'POST',
      path: '/agreements',
      headers: { authorization: 'Bearer token-1', 'idempotency-key': PAGE },
      body: {
        type: 'recurring',
        debtor: { name: 'Grace', type: 'person', pay_id: { type: 'EMAIL', value: 'grace@example.com' } },
        payment_terms: { amount_type: 'fixed', amount: '25.00', frequency: 'weekly' },
      },
    })
  })

  it('is paid from an account whose digits may be typed with spaces', async () => {
    const { post, asked } = await shop()
    await post('/api/subscriptions', {
      ...form,
      pay_by: 'account',
      bsb: '802-985',
      account_number: '100 000 001',
    })
    expect(asked[1]?.body).toMatchObject({
      debtor: { account: { bsb: '802985', account_number: '100000001' } },
    })
  })

  it.each([
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(141) }, 'name'],
    [{ pay_id: 'grace' }, 'pay_id'],
    [{ pay_by: 'account', bsb: '80298', account_number: '1' }, 'bsb'],
    [{ pay_by: 'account', bsb: '802985', account_number: '1234567890' }, 'account_number'],
    [{ plan: 'yearly' }, 'plan'],
  ])('with %j is refused beside the field, before anybody is asked', async (change, field) => {
    const { post, asked } = await shop()
    const answer = await post('/api/subscriptions', { ...form, ...change })
    expect(answer.statusCode).toBe(422)
    expect(answer.json()).toHaveProperty(['faults', field])
    expect(asked).toEqual([])
  })

  it('of a payer whom no bank knows is refused beside the field', async () => {
    const { post } = await shop(() => ({ status: 422, error: { code: 'debtor_not_found', message: '' } }))
    const answer = await post('/api/subscriptions', form)
    const { faults } = answer.json<{ faults: { pay_id: string } }>()
    expect(faults.pay_id).toMatch(/No bank knows/)
  })

  it('keeps all other terms when the price changes, and names the version that was read', async () => {
    const { post, asked } = await shop()
    await post(`/api/subscriptions/${ID}/price`, { price: '27.5' })
    expect(asked.at(-1)).toMatchObject({
      method: 'PATCH',
      headers: { 'if-match': '"7"' },
      body: {
        payment_terms: { amount_type: 'fixed', amount: '27.50', frequency: 'weekly', point_in_period: 7 },
      },
    })
  })

  it.each(['', '0', '-1', '1.005', '1e3', 'free'])('is not asked for a price of %j', async (price) => {
    const { post, asked } = await shop()
    const answer = await post(`/api/subscriptions/${ID}/price`, { price })
    expect([answer.statusCode, asked]).toEqual([422, []])
  })

  it.each([
    ['declined', 'declined'],
    ['lapsed', 'unanswered'],
    ['cancelled', 'cancelled'],
  ])('that was %s is shown as %s', async (type, stage) => {
    const ended = { ...agreement, status: 'cancelled', history: [{ type, by: 'debtor' }] }
    const { get } = await shop(({ path }) => ({ data: path.includes('/payments') ? [] : ended }))
    const { stage: shown } = (await get(`/api/subscriptions/${ID}`)).json<{ stage: string }>()
    expect(shown).toBe(stage)
  })

  it.each([
    ['outside_terms', 422, /does not allow/],
    ['unfulfilled_condition', 422, /cannot be done/],
    ['network_unavailable', 502, /Nothing was changed/],
  ])('has a message for a refusal with %s', async (code, status, words) => {
    const { post } = await shop(({ method }) =>
      method === 'GET' ? { data: agreement } : { status: 422, error: { code, message: 'x' } },
    )
    const answer = await post(`/api/subscriptions/${ID}/payments`, { key: PAGE })
    expect(answer.statusCode).toBe(status)
    expect(answer.json<{ message: string }>().message).toMatch(words)
  })
})

describe('the access token', () => {
  it('is asked for once by many requests, and kept', async () => {
    const { get, asked } = await shop(() => ({ body: { error: null, resource: { data: [] } } }))
    await Promise.all(Array.from({ length: 5 }, () => get('/api/subscriptions')))
    await get('/api/subscriptions')
    expect(pathsOf(asked).filter((path) => path === 'POST /oauth/token')).toHaveLength(1)
  })

  it('that the service refuses is replaced, once', async () => {
    const { get, asked } = await shop(() => ({ status: 401, error: { code: 'unauthorized', message: '' } }))
    expect((await get('/api/subscriptions')).statusCode).toBe(422)
    expect(pathsOf(asked)).toEqual([
      'POST /oauth/token',
      'GET /agreements?reference=lamp-of-the-month&limit=25',
      'POST /oauth/token',
      'GET /agreements?reference=lamp-of-the-month&limit=25',
    ])
  })
})
