import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
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
   VALUES ($1, $2, 'https://shop.example', '{}', 'k', '', '')`,
)
const addDelivery = testStatement(
  't_add_delivery',
  `INSERT INTO webhook_deliveries (endpoint_id, event_id, attempts, next_at)
   VALUES ($1, $2, 0, now() - $3::int * interval '1 second')`,
)

const forget = testStatement('t_forget', 'TRUNCATE webhook_endpoints, webhook_deliveries')
afterEach(() => database.run(forget, []))

/** `due`: for how many seconds each delivery to each webhook has been. */
async function addDue(merchant: string, due: Record<string, readonly number[]>) {
  for (const [webhook, seconds] of Object.entries(due)) {
    await database.run(addWebhook, [webhook, merchant])
    for (const each of seconds) await database.run(addDelivery, [webhook, `${webhook}-${each}`, each])
  }
}

it('finds the longest due of each webhook before the second of any, and nothing of one without capacity', async () => {
  await addDue('m', { busy: [90, 80, 70, 60], late: [50], recent: [10], silent: [99] })
  const store = createDeliveryStore(database, writeEvent)
  const found = async (max: number) => {
    const targets = new Map([['silent', 0]])
    return (await store.findDue({ max, eachTarget: 3, targets })).map(({ eventId }) => eventId)
  }
  expect(await found(1)).toEqual(['busy-90', 'late-50'])
  expect(await found(2)).toEqual(['busy-90', 'late-50', 'recent-10', 'busy-80'])
  expect(await found(100)).toEqual(['busy-90', 'late-50', 'recent-10', 'busy-80', 'busy-70'])
})

it('finds what one merchant waits for beside however much is due to the webhooks of another, and to slow ones', async () => {
  const many = (name: string, seconds: number) =>
    Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`${name}-${at}`, [seconds]]))
  await addDue('greedy', many('greedy', 90))
  await addDue('other', { other: [50] })
  await addDue('unlucky', { ...many('slow', 99), quick: [10] })
  const store = createDeliveryStore(database, writeEvent)
  const targets = new Map(Array.from({ length: 8 }, (_, at) => [`slow-${at}`, 1]))
  const found = await store.findDue({ max: 2, eachTarget: 3, targets })
  const countOf = (name: string) => found.filter(({ targetId }) => targetId.startsWith(name)).length
  expect({ greedy: countOf('greedy'), other: countOf('other'), quick: countOf('quick') }).toEqual({
    greedy: 2,
    other: 1,
    quick: 1,
  })
  expect(countOf('slow')).toBe(4)
})
