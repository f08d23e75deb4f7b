import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hostileNames, startHostileServer } from '../../../testing/hostile-servers.ts'
import type { HostileName, HostileServer } from '../../../testing/hostile-servers.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { makeWebhook, sendWebhooks } from '../../../testing/webhook-receiver.ts'
import { testStatement } from '../../../testing/test-statement.ts'

let service: TestService
let server: HostileServer
let hook: { _id: string }
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())
afterEach(async () => {
  const headers = { 'x-user-secret-key': service.merchant.secretKey }
  await service.call({ method: 'DELETE', url: `/v1/webhooks/${hook._id}`, headers })
  await server.close()
})

const attemptsAt = testStatement<{ attempts: number; is_leased: boolean; last_fault: string | null }>(
  't_attempts_at',
  `SELECT attempts, last_fault, next_at > now() + interval '30 seconds' AS is_leased
   FROM webhook_deliveries WHERE endpoint_id = $1`,
)

/** Those whose status arrives: it counts, whatever becomes of the rest of the answer. */
const TAKEN = new Set<HostileName>([
  'drips its body',
  'drips chunks',
  'sends a giant body',
  'sends endless chunks',
  'stops in mid-answer',
])

describe('a receiver that', () => {
  it.each(hostileNames)('%s: the message has an end, and so has its connection', async (name) => {
    server = await startHostileServer(name)
    hook = await makeWebhook(service, { url: `${server.url}/hook` })
    await service.authorise()
    await sendWebhooks(service)
    const [delivery] = await service.database.run(attemptsAt, [hook._id])
    expect(delivery).toMatchObject({ attempts: 1 })
    expect(delivery?.last_fault === null).toBe(TAKEN.has(name))
    expect(delivery?.is_leased).not.toBe(true)
    expect(server.connections().made).toBe(1)
    await expect.poll(() => server.connections().open).toBe(0)
  })
})
