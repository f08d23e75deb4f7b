import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeEvent } from '../../events/write-event.ts'
import { createDeliveryStore } from './delivery-store.ts'
import type { DeliveryStore } from './delivery-store.ts'
import { deliveryMoves, deliveryStateOf } from '../webhook.ts'
import type { DeliveryAction, DeliveryState, DueDelivery } from '../webhook.ts'
import type { Database } from '../../../platform/database/database.ts'
import { nextState } from '../../../platform/state-machine.ts'
import { createMigratedDatabase } from '../../../testing/test-database.ts'
import { testStatement } from '../../../testing/test-statement.ts'

let database: Database
let deliveries: DeliveryStore
beforeAll(async () => {
  database = await createMigratedDatabase()
  deliveries = createDeliveryStore(database, writeEvent)
})
afterAll(() => database.close())

const createId = () => randomBytes(12).toString('hex')

const addWebhook = testStatement(
  't_add_webhook',
  `INSERT INTO webhook_endpoints (id, merchant_id, url, event_types, master_key_id, wrapped_data_key, secret)
   VALUES ($1, 'm', 'https://shop.example', '{}', 'k', '', '')`,
)
const addEvent = testStatement(
  't_add_event',
  `INSERT INTO events (seq, id, merchant_id, type, subject, actor, facts, created_at, hash)
   SELECT count(*), $1, 'm', 'charge.captured', 'c', 'merchant', '{}', now(), '' FROM events`,
)
const addDelivery = testStatement(
  't_add_delivery',
  `INSERT INTO webhook_deliveries (endpoint_id, event_id, attempts, next_at, delivered_at, gave_up_at)
   SELECT $1, $2, 1, CASE $3 WHEN 'waiting' THEN now() - interval '1 second' END, CASE $3 WHEN 'delivered' THEN now() END,
          CASE $3 WHEN 'failed' THEN now() END`,
)
const readDelivery = testStatement<{ nextAt: Date | null; deliveredAt: Date | null; row: string }>(
  't_read_delivery',
  'SELECT next_at AS "nextAt", delivered_at AS "deliveredAt", d::text AS row FROM webhook_deliveries d WHERE endpoint_id = $1',
)
const FAILURE = { status: 500, fault: 'the server said 500' }
const DELIVERY_ACTIONS: Readonly<Record<DeliveryAction, (due: DueDelivery) => Promise<unknown>>> = {
  take: ({ webhook, event }) =>
    deliveries.take([{ id: 't', merchantId: 'm', targetId: webhook.id, eventId: event.id }]),
  give_back: (due) => deliveries.giveBack(due),
  deliver: (due) => deliveries.delivered(due, 200),
  retry: (due) => deliveries.failed(due, FAILURE, 60),
  give_up: (due) => deliveries.failed(due, FAILURE, null),
  disable: (due) => deliveries.disable(due, createId()),
}

describe.each(['waiting', 'delivered', 'failed'] as const)(
  'in the database a delivery that is %s',
  (state: DeliveryState) => {
    it.each(['take', 'give_back', 'deliver', 'retry', 'give_up', 'disable'] as const)(
      'goes by %s where the table says',
      async (action: DeliveryAction) => {
        const secret = { masterKeyId: 'k', wrappedDataKey: Buffer.alloc(0), text: Buffer.alloc(0) }
        const webhook = { id: createId(), merchantId: 'm', url: 'https://shop.example', secrets: [secret] }
        const event = { id: createId(), type: 'charge.captured', subject: 'c', createdAt: new Date() }
        await database.run(addWebhook, [webhook.id])
        await database.run(addEvent, [event.id])
        await database.run(addDelivery, [webhook.id, event.id, state])
        const [before] = await database.run(readDelivery, [webhook.id])
        await DELIVERY_ACTIONS[action]({ webhook, event, attempts: 1 })
        const [after] = await database.run(readDelivery, [webhook.id])
        if (after === undefined) throw new Error('the delivery has gone')
        const next = nextState(deliveryMoves, state, action)
        expect(deliveryStateOf(after)).toBe(next ?? state)
        expect(after.row !== before?.row).toBe(next !== null)
      },
    )
  },
)
