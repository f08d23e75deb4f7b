import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as v from 'valibot'
import { WebhookDeliveryResource, WebhookEventType, WebhookResource } from '../../../contract/api/webhook.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { makeWebhook } from '../../testing/webhook-receiver.ts'
import { writeTestEvent } from '../../testing/write-test-event.ts'

const URL = 'https://shop.example/hook'
const AGREEMENT = 'a'.repeat(24)
const CHARGE = 'c'.repeat(24)
const types = testStatement<{ event_types: string[] | null }>(
  't_types',
  'SELECT event_types FROM webhooks WHERE id = $1',
)
const OF_CHARGES = WebhookEventType.options.filter((type) => type.startsWith('charge.'))

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())

async function get<Schema extends v.GenericSchema>(url: string, schema: Schema) {
  const headers = { 'x-user-secret-key': service.merchant.secretKey }
  return v.parse(schema, (await service.call({ url, headers })).body.resource.data)
}

const deliveriesOf = (id: string) => get(`/v1/webhooks/${id}/deliveries`, v.array(WebhookDeliveryResource))

describe('a webhook that was made without events', () => {
  it('keeps no list, so that it also gets what comes to exist later; it shows all there are', async () => {
    const { _id } = await makeWebhook(service, { url: URL })
    expect(await service.database.run(types, [_id])).toEqual([{ event_types: null }])
    const { events } = await get(`/v1/webhooks/${_id}`, WebhookResource)
    expect(events).toEqual(WebhookEventType.options)
  })

  it('gets events of every kind; one that named its events gets those alone', async () => {
    const all = await makeWebhook(service, { url: URL })
    const named = await makeWebhook(service, { url: URL, events: OF_CHARGES })
    const one = await makeWebhook(service, { url: URL, events: ['agreement.created'] })
    await writeTestEvent(service, { id: '1'.repeat(24), type: 'agreement.created', subject: AGREEMENT })
    await writeTestEvent(service, { id: '2'.repeat(24), type: 'payment.settled', subject: AGREEMENT })
    await writeTestEvent(service, { id: '3'.repeat(24), type: 'charge.captured', subject: CHARGE })
    await service.runJob('seal events')
    const sentTo = async ({ _id }: { _id: string }) =>
      (await deliveriesOf(_id)).map(({ type }) => type).sort()
    expect(await sentTo(all)).toEqual(['agreement.created', 'charge.captured', 'payment.settled'])
    expect(await sentTo(named)).toEqual(['charge.captured'])
    expect(await sentTo(one)).toEqual(['agreement.created'])
  })

  it('gets nothing of what stands in the audit log alone', async () => {
    const { _id } = await makeWebhook(service, { url: URL })
    await writeTestEvent(service, { id: '4'.repeat(24), type: 'charge.release_failed', subject: CHARGE })
    await writeTestEvent(service, { id: '5'.repeat(24), type: 'key.made', subject: CHARGE })
    await service.runJob('seal events')
    expect(await deliveriesOf(_id)).toEqual([])
  })
})

it('a delivery names what its event is about, and a charge also as before', async () => {
  const { _id } = await makeWebhook(service, { url: URL })
  await writeTestEvent(service, { id: '6'.repeat(24), type: 'payment.received', subject: AGREEMENT })
  await writeTestEvent(service, { id: '7'.repeat(24), type: 'charge.refunded', subject: CHARGE })
  await service.runJob('seal events')
  const shown = (await deliveriesOf(_id)).map(({ type, resource_id, charge_id }) => [
    type,
    resource_id,
    charge_id,
  ])
  expect(shown.sort()).toEqual([
    ['charge.refunded', CHARGE, CHARGE],
    ['payment.received', AGREEMENT, null],
  ])
})

it('the audit log says of a webhook without events that it gets all', async () => {
  const { _id } = await makeWebhook(service, { url: URL })
  const facts = testStatement(
    't_facts',
    "SELECT facts ->> 'events' AS events FROM event_outbox WHERE subject = $1",
  )
  expect(await service.database.run(facts, [_id])).toEqual([{ events: 'all' }])
})
