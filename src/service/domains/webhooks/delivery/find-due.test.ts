import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeEvent } from '../../events/write-event.ts'
import type { Database } from '../../../platform/database/database.ts'
import { createMigratedDatabase } from '../../../testing/test-database.ts'
import { testStatement } from '../../../testing/test-statement.ts'
import { createDeliveryStore } from './delivery-store.ts'

let database: Database
beforeAll(async () => {
  database = await createMigratedDatabase()
})
afterAll(() => database.close())

const addWebhook = testStatement(
  't_add_webhook',
  `INSERT INTO webhook_endpoints (id, merchant_id, url, event_types, master_key_id, wrapped_data_key, secret)
   VALUES ($1, 'm', 'https://shop.example', '{}', 'k', '', '')`,
)
const addDelivery = testStatement(
  't_add_delivery',
  `INSERT INTO webhook_deliveries (endpoint_id, event_id, attempts, next_at)
   VALUES ($1, $2, 0, now() - $3::int * interval '1 second')`,
)

it('finds the longest due of each webhook before the second of any, and nothing of one without capacity', async () => {
  const due = { busy: [90, 80, 70, 60], late: [50], recent: [10], silent: [99] }
  for (const [webhook, seconds] of Object.entries(due)) {
    await database.run(addWebhook, [webhook])
    for (const each of seconds) await database.run(addDelivery, [webhook, `${webhook}-${each}`, each])
  }
  const store = createDeliveryStore(database, writeEvent)
  const found = async (most: number) => {
    const targets = new Map([['silent', 0]])
    return (await store.findDue({ most, eachTarget: 3, targets })).map(({ eventId }) => eventId)
  }
  expect(await found(1)).toEqual(['busy-90', 'late-50'])
  expect(await found(2)).toEqual(['busy-90', 'late-50', 'recent-10', 'busy-80'])
  expect(await found(100)).toEqual(['busy-90', 'late-50', 'recent-10', 'busy-80', 'busy-70'])
})
