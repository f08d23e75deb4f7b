import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkoutCalls } from '../../../testing/checkout-calls.ts'
import type { CheckoutCalls } from '../../../testing/checkout-calls.ts'
import { testCard } from '../../../testing/test-card.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'

let service: TestService
let calls: CheckoutCalls
beforeAll(async () => {
  service = await createTestService()
  calls = checkoutCalls(service)
})
afterAll(() => service.close())

/** What the document of one intent asks with the token that its page gave it. */
const asked = (query: string, token: string, paymentSource: string) => {
  const headers = { authorization: `Bearer ${token}` }
  return [
    { url: `/v1/checkouts/session${query}`, headers },
    { method: 'POST', url: `/v1/payment_sources/tokens${query}`, headers, payload: testCard },
    {
      method: 'POST',
      url: `/v1/checkouts/session/payments${query}`,
      headers,
      payload: { payment_source: paymentSource },
    },
  ] as const
}

describe('a page that gives the document of one intent the token of another', () => {
  it.each([
    ['another intent', async () => `?intent_id=${(await calls.make())._id}`],
    ['no known intent', () => Promise.resolve('?intent_id=')],
    [
      'two intents',
      async () => `?intent_id=${(await calls.make())._id}&intent_id=${(await calls.make())._id}`,
    ],
  ])('is refused whatever it asks in the name of %s, and nothing is paid', async (_name, queryOf) => {
    const { _id: id, token } = await calls.make()
    const paymentSource = await calls.tokenise(token)
    for (const request of asked(await queryOf(), token, paymentSource)) {
      const { status, body } = await service.call(request)
      expect([request.url, status, body.error?.code]).toEqual([request.url, 403, 'forbidden'])
      expect(body.error?.message).toContain('another intent')
    }
    expect(await calls.stepsOf(id)).toEqual(['created'])
  })

  it('pays with the token of its own, and a server that names no document does too', async () => {
    const { _id: id, token } = await calls.make()
    const [session, tokenise, pay] = asked(`?intent_id=${id}`, token, await calls.tokenise(token))
    expect((await service.call(session)).status).toBe(200)
    expect((await service.call(tokenise)).status).toBe(201)
    expect((await service.call(pay)).status).toBe(201)
    expect((await calls.session(token)).status).toBe(200)
  })
})

describe('the token of a checkout that takes no more payments', () => {
  const tokenise = (token: string) =>
    service.call({
      method: 'POST',
      url: '/v1/payment_sources/tokens',
      headers: { authorization: `Bearer ${token}` },
      payload: testCard,
    })

  it('makes no card a payment source when it is paid', async () => {
    const { token } = await calls.make()
    expect((await calls.pay(token, await calls.tokenise(token))).status).toBe(201)
    expect(await tokenise(token)).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } })
  })

  it('makes no card a payment source when it is cancelled', async () => {
    const { _id: id, token } = await calls.make()
    expect((await calls.cancel(id)).status).toBe(200)
    expect(await tokenise(token)).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } })
  })
})
