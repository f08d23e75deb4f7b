import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { createWebhookReceiver, makeWebhook, sendWebhooks } from '../../testing/webhook-receiver.ts'
import type { WebhookReceiver } from '../../testing/webhook-receiver.ts'

const holdUp = testStatement('t_hold_up', 'SELECT pg_advisory_xact_lock(1)')
const heldUp = testStatement<{ count: number }>(
  't_held_up',
  `SELECT count(*)::int AS count FROM pg_locks
   WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
)

let service: TestService
let receiver: WebhookReceiver
let hook: Awaited<ReturnType<typeof makeWebhook>>
beforeAll(async () => {
  service = await createTestService()
  // Deliveries are added once nobody holds the lock.
  await service.database.script(`
    CREATE FUNCTION wait_for_turn() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END $$;
    CREATE TRIGGER wait_for_turn BEFORE INSERT ON webhook_deliveries FOR EACH ROW EXECUTE FUNCTION wait_for_turn()`)
})
afterAll(() => service.close())
beforeEach(async () => {
  receiver = await createWebhookReceiver()
  hook = await makeWebhook(service, { url: receiver.url, events: ['charge.authorised'] })
})
afterEach(() => receiver.close())

const ask = async (method: 'GET' | 'PATCH', path: string, payload?: object) => {
  const headers = { 'x-user-secret-key': service.merchant.secretKey }
  const url = `/v1/webhooks/${hook._id}${path}`
  const { body } = await service.call({ method, url, headers, ...(payload !== undefined && { payload }) })
  return body.resource.data
}

it('what is sealed while a webhook is being disabled is not sent when it is enabled again', async () => {
  await service.authorise()
  let sealing: Promise<unknown> = Promise.resolve()
  await service.database.transaction(async (queries) => {
    await queries.run(holdUp, [])
    sealing = service.runJob('seal events')
    await vi.waitFor(async () => expect(await service.database.run(heldUp, [])).toEqual([{ count: 1 }]))
    await ask('PATCH', '', { status: 'disabled' })
  })
  await sealing
  expect(await ask('GET', '/deliveries')).toMatchObject([{ status: 'waiting' }])
  await ask('PATCH', '', { status: 'enabled' })
  await sendWebhooks(service)
  expect(receiver.types()).toEqual([])
  expect(await ask('GET', '/deliveries')).toMatchObject([
    { status: 'failed', last_fault: 'the webhook was disabled', next_at: null },
  ])
})

it('what waits for a webhook that is enabled stays when it is enabled once more', async () => {
  await service.authorise()
  await service.runJob('seal events')
  await ask('PATCH', '', { status: 'enabled' })
  await sendWebhooks(service)
  expect(receiver.types()).toEqual(['charge.authorised'])
})
