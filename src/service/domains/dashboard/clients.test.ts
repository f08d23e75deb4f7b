import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MadeClient, MadeSecret } from '../../../contract/dashboard/company/oauth-client.ts'
import { createTestService } from '../../testing/test-service.ts'
import { createDashboardBed } from './testing/dashboard-bed.ts'
import type { DashboardBed } from './testing/dashboard-bed.ts'
import { asking } from './testing/signed-in.ts'

let service: DashboardBed['service']
let sessions: DashboardBed['sessions']
let ask: DashboardBed['ask']
let owner: DashboardBed['owner']
let stranger: DashboardBed['stranger']
let actor: DashboardBed['actor']
let eventsOfType: DashboardBed['eventsOfType']
beforeAll(async () => {
  ;({ service, sessions, ask, owner, stranger, actor, eventsOfType } = await createDashboardBed())
})
afterAll(() => service.close())

describe('OAuth clients', () => {
  const make = async () => {
    const payload = { scopes: ['payments:read'] }
    const { status, body } = await ask(owner, { method: 'POST', url: '/api/clients', payload })
    expect(status).toBe(201)
    return v.parse(MadeClient, body.resource.data)
  }
  const tokenFor = async (id: string, secret: string) => {
    const answer = await service.raw({
      method: 'POST',
      url: '/oauth/token',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
      },
      payload: 'grant_type=client_credentials',
    })
    return answer.statusCode
  }

  it('are made, listed without their secrets, rolled and ended', async () => {
    const made = await make()
    expect(await tokenFor(made.id, made.client_secret)).toBe(200)
    const url = `/api/clients/${made.id}`
    const { body } = await ask(owner, {
      method: 'POST',
      url: `${url}/secret`,
      payload: { overlap_seconds: 0 },
    })
    const rolled = v.parse(MadeSecret, body.resource.data)
    expect([
      await tokenFor(made.id, made.client_secret),
      await tokenFor(made.id, rolled.client_secret),
    ]).toEqual([401, 200])
    const list = await ask(owner, { url: '/api/clients' })
    expect(list.body.resource.data).toContainEqual(
      expect.objectContaining({ id: made.id, scopes: ['payments:read'], issuer: null, revoked_at: null }),
    )
    expect(JSON.stringify(list.body)).not.toMatch(/cs_sandbox/)
    expect(await ask(owner, { method: 'DELETE', url })).toMatchObject({ status: 200 })
    expect(await tokenFor(made.id, rolled.client_secret)).toBe(401)
    expect(await ask(owner, { method: 'DELETE', url })).toMatchObject({ status: 404 })
    expect(service.logged()).not.toMatch(/cs_sandbox/)
    for (const type of ['oauth_client.added', 'oauth_secret.rolled', 'oauth_client.revoked'])
      expect(await eventsOfType(type)).toMatchObject([{ actor }])
  })

  it('of another merchant are not found', async () => {
    const { id, client_secret: secret } = await make()
    const url = `/api/clients/${id}`
    expect(await ask(stranger, { method: 'DELETE', url })).toMatchObject({ status: 404 })
    const payload = { overlap_seconds: 0 }
    expect(await ask(stranger, { method: 'POST', url: `${url}/secret`, payload })).toMatchObject({
      status: 404,
    })
    expect((await ask(stranger, { url: '/api/clients' })).body.resource.data).toEqual([])
    expect(await tokenFor(id, secret)).toBe(200)
  })

  it('are made by the external issuer, if there is one', async () => {
    const other = await createTestService({
      findSession: sessions.findSession,
      settings: { SVC_OAUTH_ISSUER: 'https://id.example.com' },
    })
    const cookie = sessions.open({ merchantId: other.merchant.merchant.id })
    const payload = { scopes: ['payments:read'] }
    expect(await asking(other)(cookie, { method: 'POST', url: '/api/clients', payload })).toMatchObject({
      status: 422,
      body: { error: { code: 'unfulfilled_condition' } },
    })
    await other.close()
  })
})
