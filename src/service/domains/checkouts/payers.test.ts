import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkoutCalls, declined, sessionOf } from '../../testing/checkout-calls.ts'
import type { CheckoutCalls } from '../../testing/checkout-calls.ts'
import { testCard } from '../../testing/test-card.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'

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

  /** A checkout that takes one try, made by a key. */
  const makeForOneTry = async (amount: string) => {
    const template_id = await calls.makeTemplate('configuration', { most_tries: 1 }, 2)
    const request = { version: 2, amount, configuration: { template_id } }
    const ask = () => calls.ask(request, { 'idempotency-key': `one-try-${amount}` })
    const { body } = await ask()
    return {
      ask,
      made: body,
      ...v.parse(v.object({ _id: v.string(), token: v.string() }), body.resource.data),
    }
  }

  it('makes no card a payment source when no tries are left, and is shown no more', async () => {
    const { _id, token, ask, made } = await makeForOneTry('10.00')
    const [source, spare] = [await calls.tokenise(token, declined), await calls.tokenise(token)]
    expect(await calls.read(_id)).toMatchObject({ status: 'active', token })
    expect((await calls.pay(token, source)).status).toBe(422)
    expect(await calls.read(_id)).toMatchObject({ status: 'active', token: null })
    expect(await tokenise(token)).toMatchObject({
      status: 403,
      body: {
        error: { code: 'forbidden', message: 'The checkout has no tries left: it takes no more cards.' },
      },
    })
    expect((await calls.pay(token, spare)).body.error?.code).toBe('unfulfilled_condition')
    expect(sessionOf(await calls.session(token))).toMatchObject({ status: 'active', tries_left: 0 })
    expect((await ask()).body).toEqual(made)
  })

  it('is good while the last try is under way, which may yet be paid', async () => {
    const { _id, token } = await makeForOneTry('9000.68')
    const source = await calls.tokenise(token)
    expect((await calls.pay(token, source)).body.error?.code).toBe('outcome_unknown')
    expect(await calls.read(_id)).toMatchObject({ status: 'active', token })
    expect((await tokenise(token)).status).toBe(201)
    await service.runJob('resolve attempts')
    expect(await calls.pay(token, source)).toMatchObject({ status: 200 })
    expect(await calls.read(_id)).toMatchObject({ status: 'completed', token: null })
  })

  it('is good again after a last try that did not reach the gateway', async () => {
    const { _id, token } = await makeForOneTry('9000.91')
    expect((await calls.pay(token, await calls.tokenise(token))).status).toBe(503)
    expect(await calls.read(_id)).toMatchObject({ status: 'active', token })
    expect((await tokenise(token)).status).toBe(201)
  })

  it('makes no card a payment source when it is cancelled', async () => {
    const { _id: id, token } = await calls.make()
    expect((await calls.cancel(id)).status).toBe(200)
    expect(await tokenise(token)).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } })
  })
})
