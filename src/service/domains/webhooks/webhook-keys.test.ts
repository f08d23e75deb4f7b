import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { allWrappedKeys } from '../../wrapped-keys.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { makeWebhook } from '../../testing/webhook-receiver.ts'

let service: TestService
let hook: { _id: string }
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())
beforeEach(async () => {
  hook = await makeWebhook(service, { url: 'https://shop.example/hook' })
})

const ask = (method: 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) =>
  service.call({
    method,
    url: `/v1/webhooks/${hook._id}${path}`,
    headers: { 'x-user-secret-key': service.merchant.secretKey },
    ...(payload !== undefined && { payload }),
  })
const timePasses = testStatement(
  't_secrets_end',
  "UPDATE webhook_former_secrets SET ends_at = ends_at - interval '1 day' WHERE endpoint_id = $1",
)
const countOf = async (of: string) => {
  const place = allWrappedKeys(service.database).find((one) => one.of === of)
  const counts = [...((await place?.countByMasterKey()) ?? new Map<string, number>()).values()]
  return counts.reduce((sum, count) => sum + count, 0)
}

it('data keys are rotated also of a webhook that is disabled, and of a secret that was replaced until it ends', async () => {
  const [before, replaced] = [await countOf('webhook secrets'), await countOf('replaced webhook secrets')]
  await ask('POST', '/secret', { overlap_seconds: 86_400 })
  await ask('PATCH', '', { status: 'disabled' })
  expect(await countOf('webhook secrets')).toBe(before)
  expect(await countOf('replaced webhook secrets')).toBe(replaced + 1)
  await service.database.run(timePasses, [hook._id])
  expect(await countOf('replaced webhook secrets')).toBe(replaced)
})

it('data keys are gone with their webhook', async () => {
  const before = await countOf('replaced webhook secrets')
  await ask('POST', '/secret', { overlap_seconds: 86_400 })
  await ask('DELETE', '')
  expect(await countOf('replaced webhook secrets')).toBe(before)
})
