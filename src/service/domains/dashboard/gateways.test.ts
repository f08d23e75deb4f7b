import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GatewayType, GatewayView } from '../../../contract/dashboard/company/gateway.ts'
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
    return v.parse(GatewayView, body.resource.data)
  }
  const list = async (cookie = owner) => {
    const { body } = await ask(cookie, { url: '/api/gateways' })
    return v.parse(v.array(GatewayView), body.resource.data)
  }
  const check = (id: string, cookie = owner) =>
    ask(cookie, { method: 'POST', url: `/api/gateways/${id}/test` })

  it('are added with credentials that are never shown, and can be made the default', async () => {
    const { id, ...view } = await added('https://checkout-test.adyen.com/v72')
    expect(view).toEqual({ name: 'Adyen AU', type: 'adyen', is_default: false, has_credentials: true })
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
    expect(double.requests.map(({ path }) => path)).toEqual(['/paymentMethods'])
    expect(double.ledger.payments()).toEqual([])
    const unknown = await added(double.baseUrl, 'Unknown')
    expect((await check(unknown.id)).body.resource.data).toEqual({
      ok: false,
      message: 'Adyen refuses the account (HTTP 403): Invalid Merchant Account',
    })
    await double.close()
    expect((await check(works.id)).body.resource.data).toMatchObject({
      ok: false,
      message: 'The gateway could not be reached, or gave no answer to rely on.',
    })
  })

  it('say that Adyen refuses the key, without the key', async () => {
    const double = await startAdyenDouble({ apiKey: 'another' })
    const { id } = await added(double.baseUrl)
    const { body } = await check(id)
    expect(body.resource.data).toEqual({
      ok: false,
      message: 'Adyen does not let the API key in (HTTP 401).',
    })
    await double.close()
    expect(service.logged()).not.toContain(SECRET)
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
