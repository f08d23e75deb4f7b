import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkoutCalls } from '../../testing/checkout-calls.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { makeWebhook } from '../../testing/webhook-receiver.ts'
import { agreementCalls } from '../agreements/testing/agreement-calls.ts'
import { disputedCharge } from '../disputes/testing/disputed-charge.ts'
import { notificationToSee } from '../notifications/testing/notification-to-see.ts'
import { asking, createTestSessions } from './testing/signed-in.ts'
import type { AskDashboard } from './testing/signed-in.ts'

const sessions = createTestSessions()
let service: TestService
let ask: AskDashboard
/** The cookie of an owner of another merchant. */
let stranger: string
let ids: Record<string, string>
beforeAll(async () => {
  service = await createTestService({ findSession: sessions.findSession })
  ask = asking(service)
  const owner = sessions.open({ merchantId: service.merchant.merchant.id })
  stranger = sessions.open({ merchantId: (await service.makeMerchant()).merchant.id })
  ids = await thingsOf(owner)
})
afterAll(() => service.close())

const Made = v.looseObject({
  _id: v.optional(v.string()),
  id: v.optional(v.string()),
  event_id: v.optional(v.string()),
})
const Listed = v.array(v.looseObject({ id: v.optional(v.string()), _id: v.optional(v.string()) }))

/** One thing of each kind that has an id, by the start of its addresses. */
async function thingsOf(owner: string): Promise<Record<string, string>> {
  const make = async (url: string, payload: object) => {
    const { body } = await ask(owner, { method: 'POST', url, payload })
    const { _id, id, event_id } = v.parse(Made, body.resource.data)
    return _id ?? id ?? event_id ?? ''
  }
  const firstOf = async (url: string) => {
    const [first] = v.parse(Listed, (await ask(owner, { url })).body.resource.data)
    return first?._id ?? first?.id ?? ''
  }
  const disputeOf = (id: string) => firstOf(`/v1/disputes?charge_id=${id}`)
  const webhook = await makeWebhook(service, { url: 'https://shop.example/hook' })
  const checkouts = checkoutCalls(service)
  const agreements = await agreementCalls(service)
  const agreement = await agreements.createActive()
  const { _id: charge } = await service.authorise()
  await service.runJob('seal events')
  const template = await checkouts.makeTemplate('configuration', {})
  return {
    '/v1/charges/': charge,
    '/api/charges/': charge,
    '/v1/disputes/': await disputeOf((await disputedCharge(service, '9000.41'))._id),
    '/v1/webhooks/': webhook._id,
    '/v1/events/': await firstOf('/v1/events'),
    '/v1/checkouts/templates/': template,
    '/api/templates/': template,
    '/v1/checkouts/': (await checkouts.make())._id,
    '/agreements/': agreement._id,
    '/payments/': await make(`/agreements/${agreement._id}/payments`, { amount: '10.00', reference: 'r' }),
    '/api/keys/': await firstOf('/api/keys'),
    '/api/notifications/': await notificationToSee(service, 'e'.repeat(24), charge),
    '/api/clients/': await make('/api/clients', { scopes: ['payments:read'] }),
    '/api/gateways/': await firstOf('/api/gateways'),
    event: await make(`/v1/webhooks/${webhook._id}/test`, {}),
  }
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Valid bodies, so that only the id is wrong. */
const BODIES: Record<string, object> = {
  'POST /v1/charges/:id/capture': { amount: '1.00' },
  'POST /v1/charges/:id/refunds': { amount: '1.00' },
  'POST /v1/disputes/:id/documents': {
    type: 'proof_of_delivery',
    name: 'theirs.pdf',
    content_type: 'application/pdf',
    content: 'JVBERi0xLjQKJSVFT0YK',
  },
  'POST /v1/disputes/:id/defend': { defence: 'goods_or_services_provided' },
  'PUT /v1/checkouts/templates/:id': { version: 1, content: {} },
  'PATCH /v1/charges/:id': { description: 'Theirs' },
  'PATCH /v1/checkouts/:id': { description: 'Theirs' },
  'PATCH /v1/webhooks/:id': { status: 'disabled' },
  'POST /v1/webhooks/:id/secret': { overlap_seconds: 0 },
  'PATCH /agreements/:id': { description: 'Theirs' },
  'PATCH /agreements/:id/status': { action: 'release' },
  'POST /agreements/:id/payments': { amount: '10.00', reference: 'r' },
  'POST /api/clients/:id/secret': { overlap_seconds: 0 },
  'PATCH /api/gateways/:id': { is_default: true },
  'PUT /api/gateways/:id/credentials': { api_key: 'theirs', base_url: 'https://checkout-test.adyen.com/v72' },
  'PUT /api/gateways/:id/notifications/signing_key': { signing_key: 'AB'.repeat(32) },
}

describe('the things of another merchant', () => {
  it('are made', () => {
    for (const id of Object.values(ids)) expect(id).not.toBe('')
  })

  it('are not found at any address that names one', async () => {
    const before = await stateOf()
    const tried = service.dashboard.routes.filter(({ path }) => path.includes(':') && !isOfNoMerchant(path))
    expect(tried.length).toBeGreaterThan(20)
    expect(tried.filter(({ path }) => idAt(path) === undefined)).toEqual([])
    for (const { method, path } of tried) {
      const known = METHODS.find((one) => one === method)
      const payload = BODIES[`${method} ${path}`] ?? {}
      const { status } = await ask(stranger, {
        ...(known !== undefined && { method: known }),
        url: path
          .replace(':id', idAt(path) ?? '')
          .replace(':event_id', ids['event'] ?? '')
          .replace(':document_id', ids['event'] ?? ''),
        ...(method !== 'GET' && method !== 'DELETE' && { payload }),
      })
      expect([`${method} ${path}`, status]).toEqual([`${method} ${path}`, 404])
    }
    expect(await stateOf()).toEqual(before)
  })

  it('are in no list', async () => {
    const lists = service.dashboard.routes.filter(
      ({ method, path }) => method === 'GET' && !path.includes(':') && path !== '/api/live',
    )
    const others = new Set(Object.values(ids))
    for (const { path } of lists) {
      const { payload } = await service.dashboard.app.inject({ url: path, headers: { cookie: stranger } })
      expect([path, [...others].filter((id) => payload.includes(id))]).toEqual([path, []])
    }
  })
})

/**
 * Whether an address names nothing of a merchant: schemas are everybody's. Sessions, passkeys, members and invitations are of
 * people, and have tests of their own.
 */
function isOfNoMerchant(path: string): boolean {
  return path.startsWith('/v1/checkouts/templates/schemas/') || /^\/api\/(?:sessions|user|team)\//.test(path)
}

/** The id of the thing that an address is about; undefined if it is none of these. */
function idAt(path: string): string | undefined {
  const prefix = path.slice(0, path.indexOf(':'))
  return path.includes(':') ? ids[prefix] : undefined
}

/** The lists that the merchant itself sees. */
async function stateOf(): Promise<unknown[]> {
  const { secretKey, merchant } = service.merchant
  const headers = { 'x-user-secret-key': secretKey }
  const seen = await Promise.all(
    [
      '/v1/charges',
      '/v1/disputes',
      '/v1/webhooks',
      '/v1/checkouts',
      '/v1/checkouts/templates?type=configuration',
    ].map(async (url) => (await service.call({ url, headers })).body),
  )
  return [
    ...seen,
    await service.merchants.keys.list(merchant.id),
    await service.oauth.clients.list(merchant.id),
    await service.merchants.gateways(merchant.id),
  ]
}
