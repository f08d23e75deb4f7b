import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { CheckoutResource } from '../../../contract/api/checkouts/checkout-resource.ts'
import { testCard } from '../../testing/test-card.ts'
import { checkoutCalls, sessionOf } from '../../testing/checkout-calls.ts'
import type { CheckoutCalls } from '../../testing/checkout-calls.ts'
import { testRelease } from '../../testing/test-release.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'

let service: TestService
let calls: CheckoutCalls
beforeAll(async () => {
  service = await createTestService()
  calls = checkoutCalls(service)
})
afterAll(() => service.close())

const UNKNOWN = '6b01799184f819f4cecbe1a7'
const list = async (query: string) => {
  const { body } = await service.call({ url: `/v1/checkouts${query}`, headers: calls.secret() })
  return { ids: v.parse(v.array(CheckoutResource), body.resource.data).map(({ _id }) => _id), body }
}

describe('making a checkout', () => {
  it('answers exactly the fields of the contract', async () => {
    const answer = await calls.ask({ version: 1, amount: '10.00' })
    expect(answer).toMatchObject({ status: 201, body: { resource: { type: 'checkout' } } })
    const made = v.parse(CheckoutResource, answer.body.resource.data)
    expect(made).toMatchObject({ version: 1, status: 'active', amount: 10, currency: 'AUD', reference: null })
    expect(made.return_url).toBeNull()
    expect(made.recommended_sdk_version_url).toMatch(/\/sdk\/v.*\/widget\.umd\.min\.js$/)
    expect(made.recommended_sdk_version_integrity).toMatch(/^sha384-/)
  })

  it.each([
    ['1.2.0', null],
    ['1.3.0', '/sdk/v1.3.0/checkout?intent_id='],
  ])('answers the iframe for the page’s own HTML where the SDK %s adopts one', async (version, address) => {
    const own = await createTestService({ releases: [testRelease(version)] })
    onTestFinished(() => own.close())
    const { body } = await checkoutCalls(own).ask({ version: 1, amount: '10.00' })
    const { recommended_sdk_frame_html: html } = v.parse(CheckoutResource, body.resource.data)
    if (address === null) expect(html).toBeNull()
    else expect(html).toMatch(new RegExp(`${address.replace('?', '\\?')}[0-9a-f]{24}" .* height="428"`))
  })

  it.each([
    ['no version', { version: undefined }, 'version'],
    ['version "1"', { version: '1' }, 'version'],
    ['version 1.5', { version: 1.5 }, 'version'],
    ['version 0', { version: 0 }, 'version'],
    ['no amount', { amount: undefined }, 'amount'],
    ['amount 0', { amount: '0' }, 'amount'],
    ['amount -1', { amount: '-1' }, 'amount'],
    ['another currency', { currency: 'EUR' }, 'currency'],
    ['a misspelt name', { configuraton: {} }, 'configuraton'],
    ['a template without an id', { configuration: {} }, 'configuration.template_id'],
    ['an address that is none', { customer: { email: 'x' } }, 'customer.email'],
    ['a way back that is a script', { return_url: 'javascript:alert(1)' }, 'return_url'],
    ['a way back that is not encrypted', { return_url: 'http://shop.example/' }, 'return_url'],
    [
      'a card number in the way back',
      { return_url: `https://shop.example/${testCard.card_number}` },
      'return_url',
    ],
    ['a card number', { reference: testCard.card_number }, 'reference'],
  ])('with %s: 400', async (_name, change, path) => {
    expect(await calls.ask({ version: 1, amount: '10.00', ...change })).toMatchObject({
      status: 400,
      body: { error: { code: 'validation_error', details: [{ path }] } },
    })
  })

  it('of an unknown version: 422, naming the known ones', async () => {
    const answer = await calls.ask({ version: 99, amount: '1' })
    expect(answer).toMatchObject({ status: 422, body: { error: { code: 'unknown_workflow_version' } } })
    expect(answer.body.error?.message).toContain('1, 2')
  })

  it.each(['configuration', 'customisation'])('with an unknown %s template: 422', async (type) => {
    expect(await calls.ask({ version: 1, amount: '1', [type]: { template_id: UNKNOWN } })).toMatchObject({
      status: 422,
      body: { error: { code: 'template_not_found', details: [{ path: `${type}.template_id` }] } },
    })
  })

  it('without a secret key: 401', async () => {
    const payload = { version: 1, amount: '1' }
    expect((await service.call({ method: 'POST', url: '/v1/checkouts/intent', payload })).status).toBe(401)
  })
})

describe('checkouts', () => {
  it('are listed newest first, filtered, without tokens', async () => {
    const made = [await calls.make({ reference: 'list' }), await calls.make({ reference: 'list' })]
    const ids = made.map(({ _id }) => _id).reverse()
    const { ids: listed, body } = await list('?reference=list')
    expect(listed).toEqual(ids)
    expect(body.resource.data).toMatchObject([{ token: null }, { token: null }])
    const first = await list('?reference=list&limit=1')
    expect((await list(`?reference=list&limit=1&cursor=${first.body.resource.next ?? ''}`)).ids).toEqual(
      ids.slice(1),
    )
    await calls.endTime(ids[0] ?? '')
    expect((await list('?reference=list&status=expired')).ids).toEqual(ids.slice(0, 1))
    expect((await list('?reference=list&status=active')).ids).toEqual(ids.slice(1))
    expect((await service.call({ url: '/v1/checkouts?status=paid', headers: calls.secret() })).status).toBe(
      400,
    )
  })

  it('are cancelled once, while nothing was paid', async () => {
    const { _id, token } = await calls.make()
    const cancelled = await calls.cancel(_id)
    expect(cancelled).toMatchObject({
      status: 200,
      body: { resource: { data: { status: 'cancelled', token: null } } },
    })
    expect((await calls.cancel(_id)).body.error?.code).toBe('unfulfilled_condition')
    const source = await service.tokenise()
    expect((await calls.pay(token, source)).body.error?.code).toBe('unfulfilled_condition')
    const paid = await calls.make()
    await calls.pay(paid.token, source)
    expect((await calls.cancel(paid._id)).body.error?.code).toBe('unfulfilled_condition')
  })

  it('of another merchant are not there', async () => {
    const { _id } = await calls.make()
    const headers = { 'x-user-secret-key': (await service.makeMerchant()).secretKey }
    expect((await service.call({ url: `/v1/checkouts/${_id}`, headers })).status).toBe(404)
    expect((await service.call({ method: 'DELETE', url: `/v1/checkouts/${_id}`, headers })).status).toBe(404)
  })

  it('have versions, each with its SDK', async () => {
    const { body } = await service.call({ url: '/v1/checkouts/versions', headers: calls.secret() })
    expect(body.resource.data).toMatchObject([
      { version: 1, is_retired: false },
      { version: 2, is_retired: false },
    ])
  })
})

describe('the token of a checkout', () => {
  const withToken = (authorization: string | undefined) =>
    service.call({
      url: '/v1/checkouts/session',
      headers: authorization === undefined ? {} : { authorization },
    })

  it.each([[undefined], ['Bearer'], ['Bearer x.y.z'], ['Basic YTpi']])(
    '%s: 401 with words',
    async (authorization) => {
      const answer = await withToken(authorization)
      expect(answer).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } })
      expect(answer.headers['www-authenticate']).toContain('Bearer')
    },
  )

  it('that has expired pays no more, and for an hour says how the checkout ended', async () => {
    const expired = { status: 401, body: { error: { code: 'token_expired' } } }
    const return_url = 'https://shop.example/basket'
    const unpaid = await calls.make({ return_url, customer: { phone: '0400000000' } })
    await calls.age(unpaid._id, 17)
    const { customer, ...ended } = sessionOf(await calls.session(unpaid.token))
    expect(ended).toMatchObject({ status: 'expired', amount: 10, return_url })
    expect(customer).toEqual({})
    const cancelled = await calls.make()
    await calls.cancel(cancelled._id)
    await calls.age(cancelled._id, 17)
    expect(sessionOf(await calls.session(cancelled.token)).status).toBe('cancelled')
    expect(await calls.stepsOf(unpaid._id)).toEqual(['created'])
    await calls.age(unpaid._id, 60)
    expect(await calls.session(unpaid.token)).toMatchObject(expired)
    expect(await calls.pay(unpaid.token, await service.tokenise())).toMatchObject(expired)
    const paid = await calls.make()
    await calls.pay(paid.token, await service.tokenise())
    await calls.age(paid._id, 17)
    expect(await calls.session(paid.token)).toMatchObject({
      status: 200,
      body: { resource: { data: { status: 'completed' } } },
    })
    await calls.age(paid._id, 60)
    expect(await calls.session(paid.token)).toMatchObject(expired)
  })

  it('spends no card of another merchant', async () => {
    const { token } = await calls.make()
    const theirs = await service.tokenise({}, await service.makeMerchant())
    expect((await calls.pay(token, theirs)).body.error?.code).toBe('token_not_found')
  })

  it('stands in no log line', async () => {
    const { token } = await calls.make()
    await calls.session(token)
    await calls.pay(token, await calls.tokenise(token))
    expect(service.logged()).toContain('/v1/checkouts/session')
    expect(service.logged()).not.toContain(token.split('.')[2])
  })

  it('is taken across origins from the frame alone', async () => {
    for (const url of [
      '/v1/checkouts/session',
      '/v1/checkouts/session/payments',
      '/v1/payment_sources/tokens',
    ]) {
      const { statusCode, headers } = await service.raw({ method: 'OPTIONS', url })
      expect(statusCode).toBe(204)
      expect(headers['access-control-allow-origin']).toBe('http://localhost:8080')
      expect(headers['access-control-allow-headers']).toContain('authorization')
    }
  })
})

describe('making a checkout again under the same Idempotency-Key', () => {
  it('is answered the same; with another body it is refused', async () => {
    const key = { 'idempotency-key': 'k1' }
    const request = { version: 1, amount: '5' }
    const answers = await Promise.all([1, 2, 3, 4].map(() => calls.ask(request, key)))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(3)
    expect((await calls.ask({ ...request, amount: '6' }, key)).body.error?.code).toBe(
      'idempotency_key_reused',
    )
  })

  it('is answered the same although its template may no longer be used', async () => {
    const key = { 'idempotency-key': 'k2' }
    const template_id = await calls.makeTemplate('customisation', {})
    const request = { version: 1, amount: '5', customisation: { template_id } }
    const made = await calls.ask(request, key)
    expect(made.status).toBe(201)
    const url = `/v1/checkouts/templates/${template_id}`
    const payload = { version: 2, content: {} }
    expect((await service.call({ method: 'PUT', url, headers: calls.secret(), payload })).status).toBe(200)
    const again = await calls.ask(request, key)
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true'])
    expect(again.body).toEqual(made.body)
    expect((await calls.ask({ ...request, amount: '6' }, key)).body.error?.code).toBe(
      'idempotency_key_reused',
    )
    expect((await calls.ask(request)).body.error?.code).toBe('template_not_found')
  })
})
