import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkoutCalls } from '../../testing/checkout-calls.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { asking, createTestSessions, ownPage } from './testing/signed-in.ts'
import type { AskDashboard } from './testing/signed-in.ts'

const sessions = createTestSessions()
let service: TestService
let ask: AskDashboard
let owner: string
beforeAll(async () => {
  service = await createTestService({ findSession: sessions.findSession })
  ask = asking(service)
  owner = sessions.open({ merchantId: service.merchant.merchant.id })
})
afterAll(() => service.close())

const acts = testStatement<{ actor: string; subject: string; facts: object }>(
  't_user_acts',
  "SELECT actor, subject, facts FROM event_outbox WHERE type = 'user.acted' ORDER BY created_at DESC LIMIT 1",
)

const aboutWebhook = testStatement<{ type: string; actor: string }>(
  't_about_webhook',
  "SELECT type, actor FROM event_outbox WHERE subject = $1 AND type <> 'user.acted' ORDER BY type",
)

describe('a person who is signed in', () => {
  it('can do what the merchant’s server does, to the same charge', async () => {
    const { _id } = await service.authorise()
    expect(await ask(owner, { url: `/v1/charges/${_id}` })).toMatchObject({ status: 200 })
    const captured = await ask(owner, {
      method: 'POST',
      url: `/v1/charges/${_id}/capture`,
      payload: { amount: '4.00' },
    })
    expect(captured).toMatchObject({ status: 201, body: { resource: { data: { _id, status: 'complete' } } } })
  })

  it('repeats a request by its idempotency key', async () => {
    const { _id } = await service.authorise()
    const request = {
      method: 'POST',
      url: `/v1/charges/${_id}/capture`,
      payload: { amount: '4.00' },
    } as const
    const headers = { 'idempotency-key': 'k1' }
    expect(await ask(owner, { ...request, headers })).toMatchObject({ status: 201 })
    const again = await ask(owner, { ...request, headers })
    expect(again).toMatchObject({ status: 201, headers: { 'idempotent-replayed': 'true' } })
  })

  it('can use the routes of access tokens', async () => {
    expect(await ask(owner, { url: '/agreements' })).toMatchObject({ status: 200 })
  })

  it('sees a checkout’s token only in a role that may change something', async () => {
    const { _id, token } = await checkoutCalls(service).make()
    const viewer = sessions.open({ merchantId: service.merchant.merchant.id, role: 'viewer' })
    const shown = async (cookie: string) =>
      (await ask(cookie, { url: `/v1/checkouts/${_id}` })).body.resource.data
    expect(token).not.toBeNull()
    expect(await shown(owner)).toMatchObject({ _id, status: 'active', token })
    expect(await shown(viewer)).toMatchObject({ _id, status: 'active', token: null })
  })

  it('sees nothing of another merchant', async () => {
    const other = await service.makeMerchant()
    const stranger = sessions.open({ merchantId: other.merchant.id })
    const { _id } = await service.authorise()
    expect(await ask(stranger, { url: `/v1/charges/${_id}` })).toMatchObject({ status: 404 })
    const { body } = await ask(stranger, { url: '/v1/charges' })
    expect(body.resource.data).toEqual([])
  })

  it('is in the audit log with each act, its address and its answer', async () => {
    const { _id } = await service.authorise()
    const url = `/v1/charges/${_id}/capture`
    for (const [amount, status] of [
      ['4.00', 201],
      ['99.00', 422],
    ] as const) {
      await ask(owner, { method: 'POST', url, payload: { amount }, headers: { 'x-request-id': 'r1' } })
      expect(await service.database.run(acts, [])).toEqual([
        {
          actor: `user:${'1'.padStart(24, '0')}`,
          subject: _id,
          facts: {
            act: 'POST /v1/charges/:id/capture',
            subject: _id,
            address: '127.0.0.1',
            status,
            request_id: 'r1',
          },
        },
      ])
    }
  })

  it('is the actor of events about webhooks', async () => {
    const payload = { url: 'https://shop.example/hook' }
    const made = await ask(owner, { method: 'POST', url: '/v1/webhooks', payload })
    const { _id } = v.parse(v.looseObject({ _id: v.string() }), made.body.resource.data)
    await ask(owner, { method: 'POST', url: `/v1/webhooks/${_id}/test`, payload: {} })
    await ask(owner, { method: 'DELETE', url: `/v1/webhooks/${_id}` })
    const actor = `user:${'1'.padStart(24, '0')}`
    expect(await service.database.run(aboutWebhook, [_id])).toEqual([
      { type: 'test.ping', actor },
      { type: 'webhook.added', actor },
      { type: 'webhook.removed', actor },
    ])
  })

  it('adds nothing to the audit log by reading', async () => {
    const [before] = await service.database.run(acts, [])
    await ask(owner, { url: '/v1/charges' })
    expect(await service.database.run(acts, [])).toEqual([before])
  })

  it('can do nothing once the session has ended', async () => {
    const cookie = sessions.open({ merchantId: service.merchant.merchant.id })
    expect(await ask(cookie, { url: '/v1/charges' })).toMatchObject({ status: 200 })
    sessions.end(cookie)
    expect(await ask(cookie, { url: '/v1/charges' })).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Session' },
      body: { error: { code: 'unauthorized' } },
    })
  })
})

describe('the API and the dashboard are separate', () => {
  it('a key does nothing at the dashboard', async () => {
    const { secretKey, publicKey } = service.merchant
    const token = await service.accessToken()
    for (const headers of [
      { 'x-user-secret-key': secretKey },
      { 'x-user-public-key': publicKey },
      { authorization: `Bearer ${token}` },
    ]) {
      for (const url of ['/v1/charges', '/agreements'])
        expect((await service.dashboard.app.inject({ url, headers })).statusCode).toBe(401)
    }
  })

  it('a cookie does nothing at the API, and neither sets one', async () => {
    for (const url of ['/v1/charges', '/agreements']) {
      const answer = await service.raw({ url, headers: { cookie: owner, ...ownPage } })
      expect(answer.statusCode).toBe(401)
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
  })

  it.each([
    ['POST', '/v1/payment_sources/tokens'],
    ['POST', '/oauth/token'],
    ['GET', '/sdk/latest/frame'],
    ['GET', '/sdk/latest/widget.umd.min.js'],
    ['POST', '/v1/checkouts/payments'],
    ['GET', '/metrics'],
    ['GET', '/openapi.json'],
  ] as const)('%s %s is not there at the dashboard', async (method, url) => {
    expect([404, 405]).toContain((await ask(owner, { method, url })).status)
  })
})
