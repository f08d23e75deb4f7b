import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkoutCalls, declined } from '../../testing/checkout-calls.ts'
import type { CheckoutCalls } from '../../testing/checkout-calls.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { createWebhookReceiver, makeWebhook, sendWebhooks } from '../../testing/webhook-receiver.ts'
import type { WebhookReceiver } from '../../testing/webhook-receiver.ts'

let service: TestService
let calls: CheckoutCalls
let receiver: WebhookReceiver
let hook: { _id: string }
beforeAll(async () => {
  service = await createTestService()
  calls = checkoutCalls(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  receiver = await createWebhookReceiver()
  const events = ['checkout.completed', 'checkout.expired', 'checkout.cancelled']
  hook = await makeWebhook(service, { url: receiver.url, events })
})
afterEach(async () => {
  await service.call({ method: 'DELETE', url: `/v1/webhooks/${hook._id}`, headers: calls.secret() })
  await receiver.close()
})

const pay = async (token: string, card = {}) => calls.pay(token, await calls.tokenise(token, card))
/** What the merchant was told, beside the checkout as it can be read. */
async function toldOf(id: string) {
  await sendWebhooks(service)
  const told = receiver.received.map(({ message }) => message).filter(({ data }) => data._id === id)
  return { told: told.map(({ type, data }) => ({ type, data })), read: await calls.read(id) }
}
const written = testStatement<{ type: string; actor: string; facts: object }>(
  't_events_of_checkout',
  'SELECT type, actor, facts FROM events WHERE subject = $1',
)

describe('a merchant is told of a checkout', () => {
  it('that is paid, after payments that failed, with its charge and without a token', async () => {
    const { _id, token } = await calls.make({ reference: 'order-7' })
    await pay(token, declined)
    await pay(token)
    const { told, read } = await toldOf(_id)
    expect(told).toEqual([{ type: 'checkout.completed', data: read }])
    expect(read).toMatchObject({ status: 'completed', token: null, reference: 'order-7' })
    expect(read.journey.map(({ step }) => step)).toContain('payment_failed')
    expect(await service.database.run(written, [_id])).toEqual([
      {
        type: 'checkout.completed',
        actor: 'service',
        facts: { amount: 1000, currency: 'AUD', charge_id: read.charge_id },
      },
    ])
  })

  it('that is cancelled, once, however often it is asked', async () => {
    const { _id } = await calls.make()
    await Promise.all([calls.cancel(_id), calls.cancel(_id), calls.cancel(_id)])
    const { told, read } = await toldOf(_id)
    expect(told).toEqual([{ type: 'checkout.cancelled', data: read }])
    expect(await service.database.run(written, [_id])).toMatchObject([{ actor: 'merchant' }])
  })

  it('whose time is over, once, also when two processes look at once', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => calls.make()))
    for (const { _id } of made) await calls.endTime(_id)
    await Promise.all([service.runJob('expire checkouts'), service.runJob('expire checkouts')])
    for (const { _id } of made) {
      const { told, read } = await toldOf(_id)
      expect(told).toEqual([{ type: 'checkout.expired', data: read }])
    }
  })

  it('once, by one end, when it is paid, cancelled and over at the same time', async () => {
    const made = await Promise.all(Array.from({ length: 9 }, () => calls.make()))
    await Promise.all(
      made.map(async ({ _id, token }) => {
        const source = await calls.tokenise(token)
        await Promise.all([
          calls.pay(token, source),
          calls.cancel(_id),
          calls.endTime(_id).then(() => service.runJob('expire checkouts')),
        ])
      }),
    )
    await service.runJob('expire checkouts')
    for (const { _id } of made) {
      const { told, read } = await toldOf(_id)
      expect(told).toEqual([{ type: `checkout.${read.status}`, data: read }])
    }
  })

  it('by nothing while it is open', async () => {
    const { _id, token } = await calls.make()
    await calls.session(token)
    await pay(token, declined)
    expect((await toldOf(_id)).told).toEqual([])
  })
})

it('there is no end without its event: if that can’t be written, the checkout stays as it is', async () => {
  const { _id } = await calls.make()
  await service.database.script(
    "ALTER TABLE event_outbox ADD CONSTRAINT t_no_event CHECK (type <> 'checkout.cancelled') NOT VALID",
  )
  expect((await calls.cancel(_id)).status).toBe(500)
  await service.database.script('ALTER TABLE event_outbox DROP CONSTRAINT t_no_event')
  expect(await calls.read(_id)).toMatchObject({ status: 'active' })
})
