import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addProbe, PROBE } from '../../testing/probe.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'

let service: TestService
let wrong = 0
beforeAll(async () => {
  service = await createTestService()
  addProbe(service.app, service.oauth.verifyAccessToken, () => Promise.resolve(void (wrong += 1)))
})
afterAll(() => service.close())

const INVALID = 'Bearer error="invalid_token", error_description="The access token is not valid here."'

const ask = (authorization?: string) =>
  service.call({ url: PROBE, headers: authorization === undefined ? {} : { authorization } })

describe('an access token', () => {
  it('opens for the merchant of its client, whatever the case of Bearer', async () => {
    const token = await service.accessToken({ scopes: ['agreements:read'] })
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      expect(await ask(`${scheme} ${token}`)).toMatchObject({
        status: 200,
        body: { resource: { data: { merchantId: service.merchant.merchant.id } } },
      })
  })

  it('without the scope is 403, which names the scope', async () => {
    const token = await service.accessToken({ scopes: ['agreements:write', 'payments:read'] })
    expect(await ask(`Bearer ${token}`)).toMatchObject({
      status: 403,
      headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="agreements:read"' },
      body: { error: { code: 'insufficient_scope' } },
    })
  })

  it('that is missing or wrong is 401; a wrong one counts', async () => {
    wrong = 0
    for (const none of [undefined, 'Basic YTpi', 'Token abc'])
      expect(await ask(none)).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } })
    expect(wrong).toBe(0)
    for (const bad of ['Bearer', 'Bearer ', 'Bearer abc', 'Bearer a.b.c', `Bearer ${'a'.repeat(9000)}.b.c`])
      expect(await ask(bad)).toMatchObject({
        status: 401,
        headers: { 'www-authenticate': INVALID },
        body: { error: { code: 'unauthorized' } },
      })
    expect(wrong).toBe(5)
  })

  it('of a client that is revoked is refused at once, in every process', async () => {
    const token = await service.accessToken()
    const { body } = await ask(`Bearer ${token}`)
    const clientId = /client_[0-9a-f]+/.exec(JSON.stringify(body.resource.data))?.[0] ?? ''
    const elsewhere = await createTestService({ database: service.database })
    expect(await elsewhere.oauth.verifyAccessToken(token)).toMatchObject({ client: { clientId } })
    await service.oauth.clients.revoke(clientId)
    expect(await elsewhere.oauth.verifyAccessToken(token)).toBe('revoked')
    expect((await ask(`Bearer ${token}`)).body.error?.message).toMatch(/revoked/)
    await elsewhere.close()
  })
})
