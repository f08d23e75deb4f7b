import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AddedGateway, GatewayType, GatewayView } from '../../../contract/dashboard/company/gateway.ts'
import { startAdyenDouble } from '../gateways/adyen/testing/adyen-double.ts'
import { createDashboardBed } from './testing/dashboard-bed.ts'
import type { DashboardBed } from './testing/dashboard-bed.ts'

let service: DashboardBed['service']
let ask: DashboardBed['ask']
let owner: DashboardBed['owner']
let stranger: DashboardBed['stranger']
let actor: DashboardBed['actor']
let eventsOfType: DashboardBed['eventsOfType']
beforeAll(async () => {
  ;({ service, ask, owner, stranger, actor, eventsOfType } = await createDashboardBed())
})
afterAll(() => service.close())

describe('gateways', () => {
  const SECRET = 'AQE-secret-of-acme'
  const add = (baseUrl: string, account = 'AcmeECOM', isDefault = false) =>
    ask(owner, {
      method: 'POST',
      url: '/api/gateways',
      payload: {
        name: 'Adyen AU',
        type: 'adyen',
        is_default: isDefault,
        credentials: { api_key: SECRET, merchant_account: account, base_url: baseUrl },
      },
    })
  const added = async (...parameters: Parameters<typeof add>) => {
    const { status, body } = await add(...parameters)
    expect(status).toBe(201)
    return v.parse(AddedGateway, body.resource.data)
  }
  const list = async (cookie = owner) => {
    const { body } = await ask(cookie, { url: '/api/gateways' })
    return v.parse(v.array(GatewayView), body.resource.data)
  }
  const check = (id: string, cookie = owner) =>
    ask(cookie, { method: 'POST', url: `/api/gateways/${id}/test` })

  it('are added with credentials that are never shown, and can be made the default', async () => {
    const { id, ...view } = await added('http://127.0.0.1:9/v72')
    expect(view).toMatchObject({
      ...{ name: 'Adyen AU', type: 'adyen', is_default: false, has_credentials: true },
    })
    const url = `/api/gateways/${id}`
    expect(await ask(owner, { method: 'PATCH', url, payload: { is_default: true } })).toMatchObject({
      status: 200,
      body: { resource: { data: { id, is_default: true } } },
    })
    expect((await list()).filter(({ is_default }) => is_default).map((one) => one.id)).toEqual([id])
    expect(JSON.stringify(await list())).not.toContain(SECRET)
    expect(service.logged()).not.toContain(SECRET)
    expect(await eventsOfType('gateway.added')).toMatchObject([{ actor }])
    expect(await eventsOfType('gateway.made_default')).toMatchObject([{ actor, facts: { id } }])
    expect(JSON.stringify(await eventsOfType('gateway.added'))).not.toContain(SECRET)
  })

  it('say whether card holders are authenticated, and that is changed', async () => {
    const { id, authentication } = await added('http://127.0.0.1:9/v72')
    expect(authentication).toBe('automatic')
    const change = (payload: object) => ask(owner, { method: 'PATCH', url: `/api/gateways/${id}`, payload })
    expect(await change({ authentication: 'challenge' })).toMatchObject({
      status: 200,
      body: { resource: { data: { id, authentication: 'challenge', is_default: false } } },
    })
    expect((await list()).find((one) => one.id === id)?.authentication).toBe('challenge')
    expect(await eventsOfType('gateway.authentication_changed')).toMatchObject([
      { actor, facts: { id, authentication: 'challenge' } },
    ])
    for (const wrong of [{ authentication: 'always' }, {}, { is_default: false }])
      expect((await change(wrong)).status).toBe(400)
  })

  it('of each type are described: what its parts are called, and where it is', async () => {
    const { body } = await ask(owner, { url: '/api/gateway_types' })
    expect(v.parse(v.array(GatewayType), body.resource.data)).toMatchObject([
      { type: 'adyen', name: 'Adyen', words: { api_key: 'API key' } },
      { type: 'stripe', name: 'Stripe', usual_url: 'https://api.stripe.com', can: { partial_capture: true } },
    ])
  })

  it('of a type that there is not are refused', async () => {
    const credentials = { api_key: SECRET, merchant_account: 'Acme', base_url: 'https://evil.example' }
    const payload = { name: 'PayPal', type: 'paypal', is_default: false, credentials }
    expect(await ask(owner, { method: 'POST', url: '/api/gateways', payload })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'type', message: 'must be adyen or stripe' }] } },
    })
  })

  it.each([
    'https://evil.example/v72',
    'https://checkout-test.adyen.com.evil.example/v72',
    'https://evil.example/checkout-test.adyen.com/v72',
    'https://checkout-test.adyen.com/v72/../../x',
    'https://10.0.0.1/v72',
    'ftp://checkout-test.adyen.com/v72',
  ])('send cards to nobody but Adyen: %s', async (url) => {
    expect(await add(url)).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'credentials.base_url' }] } },
    })
  })

  it('are tested without moving money', async () => {
    const double = await startAdyenDouble({ apiKey: SECRET })
    const works = await added(double.baseUrl)
    expect(await check(works.id)).toMatchObject({ status: 200, body: { resource: { data: { ok: true } } } })
    expect(double.requests.map(({ path }) => path)).toEqual(['/paymentMethods', '/paymentMethods'])
    expect(double.ledger.payments()).toEqual([])
    await double.close()
    expect((await check(works.id)).body.resource.data).toMatchObject({
      ok: false,
      message: 'The gateway could not be reached, or gave no answer to rely on.',
    })
  })

  it.each([
    ['another', 'AcmeECOM', 'api_key', 'Adyen does not let the API key in (HTTP 401).'],
    [SECRET, 'Unknown', 'merchant_account', 'Adyen refuses the account (HTTP 403): Invalid Merchant Account'],
  ])(
    'are not added while Adyen refuses them, said at the field: %s %s',
    async (apiKey, account, path, message) => {
      const double = await startAdyenDouble({ apiKey })
      const before = (await list()).length
      expect(await add(double.baseUrl, account)).toMatchObject({
        status: 400,
        body: { error: { details: [{ path: `credentials.${path}`, message }] } },
      })
      await double.close()
      expect(await list()).toHaveLength(before)
      expect(service.logged()).not.toContain(SECRET)
    },
  )

  it('are added unchecked where the gateway gives no answer, and that is said', async () => {
    const { body } = await add('http://127.0.0.1:9/v72')
    expect(body.resource.data).toMatchObject({
      unchecked: 'The gateway could not be reached, or gave no answer to rely on.',
    })
  })

  it('show all of their account but the key', async () => {
    const { id } = await added('http://127.0.0.1:9/v72')
    const { body } = await ask(owner, { url: `/api/gateways/${id}` })
    expect(body.resource.data).toMatchObject({
      account: { merchant_account: 'AcmeECOM', base_url: 'http://127.0.0.1:9/v72' },
    })
    expect(JSON.stringify(body)).not.toContain(SECRET)
  })

  it('of the sandbox need no test', async () => {
    const sandbox = (await list()).find(({ type }) => type === 'sandbox')
    expect((await check(sandbox?.id ?? '')).body.resource.data).toMatchObject({ ok: true })
  })

  it('of another merchant are not found', async () => {
    const [{ id } = { id: '' }] = await list()
    expect((await list(stranger)).map((one) => one.id)).not.toContain(id)
    expect(await check(id, stranger)).toMatchObject({ status: 404 })
    const payload = { is_default: true }
    expect(await ask(stranger, { method: 'PATCH', url: `/api/gateways/${id}`, payload })).toMatchObject({
      status: 404,
    })
  })
})

describe('the key of a gateway', () => {
  const put = (id: string, payload: object, cookie = owner) =>
    ask(cookie, { method: 'PUT', url: `/api/gateways/${id}/credentials`, payload })
  const addAt = async (baseUrl: string, apiKey: string) => {
    const credentials = { api_key: apiKey, merchant_account: 'AcmeECOM', base_url: baseUrl }
    const payload = { name: 'Adyen', type: 'adyen', is_default: false, credentials }
    const { body } = await ask(owner, { method: 'POST', url: '/api/gateways', payload })
    return v.parse(AddedGateway, body.resource.data).id
  }

  it('is replaced by another of the same account, once the gateway takes it', async () => {
    const double = await startAdyenDouble({ apiKey: 'first' })
    const id = await addAt(double.baseUrl, 'first')
    const wrong = await put(id, { api_key: 'wrong', base_url: double.baseUrl })
    expect(wrong).toMatchObject({ status: 400, body: { error: { details: [{ path: 'api_key' }] } } })
    const works = await put(id, { api_key: 'first', base_url: `${double.baseUrl}/` })
    expect(works).toMatchObject({ status: 200 })
    const told = (await eventsOfType('gateway.credentials_changed')).filter(({ facts }) =>
      JSON.stringify(facts).includes(id),
    )
    expect(told).toMatchObject([{ actor }])
    await double.close()
    const silent = await put(id, { api_key: 'second', base_url: double.baseUrl })
    expect(silent.body.error?.message).toContain('The key was not changed')
    const { body } = await ask(owner, { method: 'POST', url: `/api/gateways/${id}/test` })
    expect(JSON.stringify(body)).not.toContain('second')
  })

  it('can’t lead to another place, where earlier payments are not known', async () => {
    const id = await addAt('http://127.0.0.1:9/v72', 'first')
    const moved = await put(id, { api_key: 'first', base_url: 'https://checkout-test.adyen.com/v72' })
    expect(moved.body.error?.details?.map(({ path }) => path)).toEqual(['base_url'])
    expect(moved.body.error?.details?.[0]?.message).toContain('add another gateway for it')
  })

  it('of the sandbox is none', async () => {
    const { body } = await ask(owner, { url: '/api/gateways' })
    const sandbox = v.parse(v.array(GatewayView), body.resource.data).find(({ type }) => type === 'sandbox')
    const given = await put(sandbox?.id ?? '', { api_key: 'k', base_url: 'https://x.example' })
    expect(given.body.error?.message).toBe('This gateway needs no account.')
  })
})
