import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkoutCalls, declined, paymentOf, sessionOf } from '../../testing/checkout-calls.ts'
import type { CheckoutCalls } from '../../testing/checkout-calls.ts'
import {
  ASKS_CODE,
  BROWSER,
  formIn,
  openChallenge,
  post,
} from '../gateways/sandbox-bank/testing/card-holder.ts'
import { AuthenticationSession } from '../../../contract/api/charges/authentication.ts'
import * as v from 'valibot'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'

let service: TestService
let calls: CheckoutCalls
beforeAll(async () => {
  service = await createTestService()
  calls = checkoutCalls(service)
})
afterAll(() => service.close())

describe('a checkout from its token to its charge', () => {
  it('shows what is to be paid, takes the card, and charges what the intent says', async () => {
    const made = await calls.make({
      amount: '12.50',
      reference: 'order-7',
      customer: { email: 'a@b.example' },
    })
    const session = sessionOf(await calls.session(made.token))
    expect(session).toMatchObject({
      intent_id: made._id,
      status: 'active',
      amount: 12.5,
      merchant_name: 'Test',
    })
    const answer = await calls.pay(made.token, await calls.tokenise(made.token))
    expect(answer.status).toBe(201)
    const paid = paymentOf(answer)
    expect(paid).toMatchObject({ intent_id: made._id, status: 'completed' })
    const { body } = await service.call({ url: `/v1/charges/${paid.charge_id}`, headers: calls.secret() })
    expect(body.resource.data).toMatchObject({
      status: 'complete',
      amount: 12.5,
      reference: 'order-7',
      customer: { email: 'a@b.example' },
    })
    expect(sessionOf(await calls.session(made.token))).toMatchObject({
      status: 'completed',
      charge_id: paid.charge_id,
    })
    const read = await calls.read(made._id)
    expect(read).toMatchObject({ status: 'completed', charge_id: paid.charge_id, token: null })
    expect(read.journey.map(({ step }) => step)).toEqual(['created', 'viewed', 'payment_tried', 'paid'])
  })

  it('a page that names another amount is refused', async () => {
    const { token } = await calls.make()
    const answer = await service.call({
      method: 'POST',
      url: '/v1/checkouts/session/payments',
      headers: { authorization: `Bearer ${token}` },
      payload: { payment_source: await calls.tokenise(token), amount: '0.01' },
    })
    expect(answer.status).toBe(400)
  })

  it('stays open for another card after a decline', async () => {
    const { _id, token } = await calls.make()
    const answer = await calls.pay(token, await calls.tokenise(token, declined))
    expect(answer).toMatchObject({ status: 422, body: { error: { code: 'transaction_declined' } } })
    expect(answer.body.resource.data).toBeNull()
    expect((await calls.pay(token, await calls.tokenise(token))).status).toBe(201)
    expect(await calls.stepsOf(_id)).toEqual([
      'created',
      'payment_tried',
      'payment_failed',
      'payment_tried',
      'paid',
    ])
  })

  it('answers a decline again when the page asks again with the same card, and charges nothing', async () => {
    const { token } = await calls.make()
    const source = await calls.tokenise(token, declined)
    await calls.pay(token, source)
    const [again, charges] = await calls.chargesBeside(() => calls.pay(token, source))
    expect(again).toMatchObject({ status: 422, body: { error: { code: 'transaction_declined' } } })
    expect(charges).toEqual([])
  })

  it('takes ten cards that fail and no eleventh', async () => {
    const { token } = await calls.make()
    const eleventh = await calls.tokenise(token)
    for (let tries = 0; tries < 10; tries += 1) {
      expect((await calls.pay(token, await calls.tokenise(token, declined))).status).toBe(422)
    }
    expect(await calls.pay(token, eleventh)).toMatchObject({
      status: 422,
      body: { error: { code: 'unfulfilled_condition' } },
    })
  })

  it('keeps the card when the gateway is out of reach, and counts no try', async () => {
    const { _id, token } = await calls.make({ amount: '9000.91' })
    const source = await calls.tokenise(token)
    for (let tries = 0; tries < 11; tries += 1) {
      const answer = await calls.pay(token, source)
      expect(answer).toMatchObject({ status: 503, body: { error: { code: 'gateway_unavailable' } } })
      expect(answer.headers['retry-after']).toBe('5')
    }
    expect((await calls.read(_id)).status).toBe('active')
  })

  it('refuses a token of a card that is unknown, spent, or another merchant’s', async () => {
    const { token } = await calls.make()
    const other = await service.makeMerchant()
    for (const source of ['0b0a4d0e-6f0b-4b43-9d3b-0e1c6f7e2a11', await service.tokenise({}, other)]) {
      expect((await calls.pay(token, source)).body.error?.code).toBe('token_not_found')
    }
    expect((await calls.pay(token, 'no-uuid')).status).toBe(400)
  })
})

describe('two pages of one checkout', () => {
  it('with different cards at once: one charge, and both end in success', async () => {
    const { _id, token } = await calls.make()
    const sources = await Promise.all([1, 2, 3, 4].map(() => calls.tokenise(token)))
    const [first, charges] = await calls.chargesBeside(() =>
      Promise.all(sources.map((one) => calls.pay(token, one))),
    )
    expect(charges).toHaveLength(1)
    expect(first.every(({ status }) => [200, 201, 409].includes(status))).toBe(true)
    expect(first.filter(({ status }) => status === 201)).toHaveLength(1)
    const later = await Promise.all(sources.map((one) => calls.pay(token, one)))
    expect(new Set(later.map((answer) => paymentOf(answer).charge_id)).size).toBe(1)
    expect(later.every(({ status }) => status === 200)).toBe(true)
    expect(await calls.stepsOf(_id)).toEqual(['created', 'payment_tried', 'paid'])
  })

  it('of two processes: one charge too', async () => {
    const others = [service.startAnother(), service.startAnother()]
    for (let round = 0; round < 5; round += 1) {
      const { token } = await calls.make()
      const sources = await Promise.all([1, 2, 3, 4, 5, 6].map(() => calls.tokenise(token)))
      const [, charges] = await calls.chargesBeside(() =>
        Promise.all(sources.map((one, i) => calls.pay(token, one, others[i % 2]))),
      )
      expect(charges).toHaveLength(1)
    }
  })

  it('with one card, pressed twice: one charge', async () => {
    const { token } = await calls.make()
    const source = await calls.tokenise(token)
    const [answers, charges] = await calls.chargesBeside(() =>
      Promise.all(Array.from({ length: 8 }, () => calls.pay(token, source))),
    )
    expect(charges).toHaveLength(1)
    expect(answers.every(({ status }) => [200, 201, 409].includes(status))).toBe(true)
  })

  it('one with a bad card: the other one pays', async () => {
    const { token } = await calls.make()
    const [bad, good] = [await calls.tokenise(token, declined), await calls.tokenise(token)]
    const [answers, charges] = await calls.chargesBeside(() =>
      Promise.all([bad, good, bad, good].map((one) => calls.pay(token, one))),
    )
    await calls.pay(token, good)
    expect(sessionOf(await calls.session(token)).status).toBe('completed')
    expect(charges.filter(({ status }) => status === 'complete').length).toBeLessThanOrEqual(1)
    expect(answers.every(({ status }) => [200, 201, 409, 422].includes(status))).toBe(true)
  })
})

describe('a checkout whose card holder’s bank wants to ask them', () => {
  const asks = { card_number: ASKS_CODE, browser: BROWSER }
  /** The page is told that a payment is under way, and by the session what the bank asks. */
  const payUntilAsked = async (token: string, source: string) => {
    const answer = await calls.pay(token, source)
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'request_in_progress' } } })
    const { _3ds: step } = sessionOf(await calls.session(token))
    if (step === undefined) throw new Error('The session tells no step.')
    return step
  }
  const call = async (method: 'GET' | 'DELETE', { id, token }: { id: string; token: string }) => {
    const headers = { authorization: `Bearer ${token}` }
    const { body } = await service.call({ method, url: `/v1/authentications/${id}`, headers })
    return v.parse(AuthenticationSession, body.resource.data)
  }

  it('tells its page what to show, also one that comes later, and is paid once the bank has said yes', async () => {
    const { _id, token } = await calls.make()
    const source = await calls.tokenise(token, asks)
    const step = await payUntilAsked(token, source)
    expect(await payUntilAsked(token, source)).toEqual(step)
    expect(sessionOf(await calls.session(token))).toMatchObject({
      status: 'active',
      payment_under_way: true,
      _3ds: step,
    })
    const acs = formIn(await openChallenge(service, await call('GET', step))).fields['acs'] ?? ''
    const { body: back } = await post(service, '/3ds/challenge/answer', { acs, action: 'code', code: '1234' })
    const { action, fields } = formIn(back)
    await service.raw({
      method: 'POST',
      url: new URL(action).pathname,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
    })
    expect(paymentOf(await calls.pay(token, source))).toMatchObject({ intent_id: _id, status: 'completed' })
    expect(sessionOf(await calls.session(token))).toMatchObject({ status: 'completed' })
    expect(sessionOf(await calls.session(token))).not.toHaveProperty('_3ds')
  })

  it('is read without the step where its master key is missing, and has it once that is back', async () => {
    const { _id, token } = await calls.make()
    const step = await payUntilAsked(token, await calls.tokenise(token, asks))
    const keep = async (suffix: string) =>
      service.database.script(
        `UPDATE charge_authentications SET master_key_id = split_part(master_key_id, ' ', 1) || '${suffix}' WHERE id = '${step.id}'`,
      )
    await keep(' lost')
    expect((await calls.read(_id)).status).toBe('active')
    const session = sessionOf(await calls.session(token))
    expect([session.payment_under_way, session._3ds]).toEqual([true, undefined])
    await service.runJob('sync checkouts with charges')
    await keep('')
    expect(sessionOf(await calls.session(token))._3ds).toEqual(step)
  })

  it('takes another card after the card holder gave up, and not before', async () => {
    const { token } = await calls.make()
    const source = await calls.tokenise(token, asks)
    const step = await payUntilAsked(token, source)
    const other = await calls.tokenise(token)
    expect(await payUntilAsked(token, other)).toEqual(step)
    expect((await call('DELETE', step)).status).toBe('cancelled')
    expect(await calls.pay(token, source)).toMatchObject({
      status: 422,
      body: { error: { code: 'not_authenticated' } },
    })
    expect((await calls.pay(token, other)).status).toBe(201)
  })
})
