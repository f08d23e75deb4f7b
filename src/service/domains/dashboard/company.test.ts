import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDashboardBed } from './testing/dashboard-bed.ts'
import type { DashboardBed } from './testing/dashboard-bed.ts'

let service: DashboardBed['service']
let ask: DashboardBed['ask']
let owner: DashboardBed['owner']
let actor: DashboardBed['actor']
let eventsOfType: DashboardBed['eventsOfType']
beforeAll(async () => {
  ;({ service, ask, owner, actor, eventsOfType } = await createDashboardBed())
})
afterAll(() => service.close())

describe('the company', () => {
  it('can be renamed, which its people see at once', async () => {
    expect(await ask(owner, { url: '/api/company' })).toMatchObject({
      status: 200,
      body: { resource: { type: 'company', data: { name: 'Test', pre_auth: true } } },
    })
    const payload = { name: '  Acme <b>&</b> Söhne ' }
    const renamed = await ask(owner, { method: 'PATCH', url: '/api/company', payload })
    expect(renamed.body.resource.data).toMatchObject({ name: 'Acme <b>&</b> Söhne' })
    expect((await ask(owner, { url: '/api/company' })).body).toEqual(renamed.body)
    expect(await eventsOfType('merchant.renamed')).toMatchObject([
      { actor, facts: { name: 'Acme <b>&</b> Söhne' } },
    ])
  })

  it.each([
    [{}],
    [{ name: '' }],
    [{ name: 'x'.repeat(101) }],
    [{ name: 'Acme', id: 'x' }],
    [{ name: '4111 1111 1111 1111' }],
    [{ name: 'Acme\u001b[2J' }],
    [{ name: 'Acme\nPaid' }],
    [{ name: 'Acme \u202eemca' }],
    [{ name: '\u200b' }],
  ])('cannot be called %j', async (payload) => {
    expect(await ask(owner, { method: 'PATCH', url: '/api/company', payload })).toMatchObject({ status: 400 })
  })

  it('sets which origins may show its card form', async () => {
    const payload = {
      allowed_origins: ['https://shop.example', 'https://*.acme.example', 'https://shop.example'],
    }
    const { body } = await ask(owner, { method: 'PUT', url: '/api/origins', payload })
    expect(body.resource.data).toEqual({
      allowed_origins: ['https://shop.example', 'https://*.acme.example'],
    })
    expect((await ask(owner, { url: '/api/origins' })).body.resource.data).toEqual(body.resource.data)
    const frame = await service.raw({ url: `/sdk/latest/frame?public_key=${service.merchant.publicKey}` })
    expect(frame.headers['content-security-policy']).toContain(
      'frame-ancestors https://shop.example https://*.acme.example',
    )
    expect(await eventsOfType('origins.changed')).toMatchObject([{ actor }])
  })

  it.each([
    ['shop.example'],
    ['https://shop.example/'],
    ['https://SHOP.example'],
    ["https://x.example; script-src 'self'"],
    ['*'],
  ])('cannot have the origin %j', async (origin) => {
    const payload = { allowed_origins: [origin] }
    expect(await ask(owner, { method: 'PUT', url: '/api/origins', payload })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'allowed_origins.0' }] } },
    })
  })
})
