import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())

it('a token opens for its client', async () => {
  const token = await service.accessToken({ scopes: ['agreements:read'] })
  expect(await service.oauth.verifyAccessToken(token)).toMatchObject({
    client: { merchantId: service.merchant.merchant.id },
    scopes: ['agreements:read'],
  })
})
