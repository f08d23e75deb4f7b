import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { hostileNames, startHostileServer } from '../src/service/testing/hostile-servers.ts'
import { createTestService } from '../src/service/testing/test-service.ts'
import type { TestService } from '../src/service/testing/test-service.ts'
import { createWebhookReceiver } from '../src/service/testing/webhook-receiver.ts'
import { countAttack } from './counted.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())

async function webhookOf(url: string) {
  const owner = await service.makeMerchant()
  const headers = { 'x-user-secret-key': owner.secretKey }
  await service.call({ method: 'POST', url: '/v1/webhooks', headers, payload: { url } })
  await service.authorise({}, owner)
}

describe('hostile receivers of webhooks', () => {
  it('delay no other merchant and leave no connection open', { timeout: 120_000 }, async (context) => {
    const servers = await Promise.all(hostileNames.map((name) => startHostileServer(name)))
    const receiver = await createWebhookReceiver()
    try {
      for (const { url } of servers) await webhookOf(`${url}/hook`.replace('127.0.0.1', 'localhost'))
      await webhookOf(receiver.url)
      await service.runJob('seal events')
      // Repeated, as the service does it: one run of the job may not reach every webhook.
      await vi.waitFor(
        async () => {
          await service.runJob('deliver webhooks')
          expect(receiver.types()).toEqual(['charge.authorised'])
        },
        { timeout: 60_000 },
      )
      await vi.waitFor(
        () => expect(hostileNames.filter((_, at) => servers[at]?.connections().open !== 0)).toEqual([]),
        { timeout: 30_000 },
      )
      countAttack(
        context,
        servers.map((server) => (server.connections().made > 0 ? 'survived' : 'not asked')),
      )
      expect(servers.every((server) => server.connections().made > 0)).toBe(true)
    } finally {
      await Promise.all([...servers, receiver].map((one) => one.close()))
    }
  })
})
