import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { writeEvent } from '../../events/write-event.ts'
import { workInBatches, BATCH_ROWS } from '../../../platform/jobs/batches.ts'
import type { Database } from '../../../platform/database/database.ts'
import { createMigratedDatabase } from '../../../testing/test-database.ts'
import { testStatement } from '../../../testing/test-statement.ts'
import { createWebhookStore } from '../webhook-store.ts'
import { deleteOldDeliveries, deleteRemovedDeliveries } from './deletion-sql.ts'
import { createDeliveryStore } from './delivery-store.ts'

const addWebhook = testStatement(
  't_add_webhook',
  `INSERT INTO webhook_endpoints (id, merchant_id, url, event_types, master_key_id, wrapped_data_key, secret)
   VALUES ($1, 'm', 'https://shop.example', '{}', 'k', '', '')`,
)
/** So many of them in one state, made so many days ago. */
const addDeliveries = testStatement(
  't_add_deliveries',
  `INSERT INTO webhook_deliveries (endpoint_id, event_id, attempts, created_at, next_at, delivered_at, gave_up_at)
   SELECT $1, $2::text || '/' || $3 || '/' || n, 1, now() - $3::float8 * interval '1 day',
          CASE $2 WHEN 'waiting' THEN now() - $3::float8 * interval '1 day' END,
          CASE $2 WHEN 'delivered' THEN now() END, CASE $2 WHEN 'failed' THEN now() END
   FROM generate_series(1, $4::integer) n`,
)
const countDeliveries = testStatement<{ what: string; count: number }>(
  't_count_deliveries',
  `SELECT endpoint_id || ' ' || regexp_replace(event_id, '/\\d+$', '') AS what, count(*)::int AS count
   FROM webhook_deliveries GROUP BY 1 ORDER BY 1`,
)
const resend = testStatement('t_resend', 'UPDATE webhook_deliveries SET next_at = now(), gave_up_at = NULL')
const countRemoved = testStatement<{ id: string }>('t_removed', 'SELECT id FROM removed_webhooks')

let database: Database
beforeAll(async () => (database = await createMigratedDatabase()))
afterAll(() => database.close())
beforeEach(async () => {
  await database.script('TRUNCATE webhook_endpoints, webhook_deliveries, removed_webhooks')
  for (const id of ['one', 'other']) await database.run(addWebhook, [id])
})

const work = () => {
  const { deleteOld, deleteRemoved } = createDeliveryStore(database, writeEvent)
  return workInBatches([deleteOld, deleteRemoved]).work()
}
const left = async () =>
  (await database.run(countDeliveries, [])).map(({ what, count }) => `${what}: ${String(count)}`)

describe('deliveries', () => {
  it.each([
    ['delivered', 29.9, 1],
    ['delivered', 30.1, 0],
    ['failed', 29.9, 1],
    ['failed', 30.1, 0],
    ['waiting', 31, 1],
  ])('that are %s and %d days old: %i is kept', async (state, days, kept) => {
    await database.run(addDeliveries, ['one', state, days, 1])
    await work()
    expect(await left()).toHaveLength(kept)
  })

  it.each([29.9, 30.1])(
    'that wait for a webhook that is disabled, and are %d days old, go in time',
    async (days) => {
      await database.script("UPDATE webhook_endpoints SET disabled_at = now() WHERE id = 'one'")
      for (const id of ['one', 'other']) await database.run(addDeliveries, [id, 'waiting', days, 2])
      await work()
      const kept = days < 30 ? [`one waiting/${days}: 2`] : []
      expect(await left()).toEqual([...kept, `other waiting/${days}: 2`])
    },
  )

  it('that are sent again stay, also where the webhook seems to be disabled', async () => {
    await database.script('UPDATE webhook_endpoints SET disabled_at = now()')
    await database.run(addDeliveries, ['one', 'waiting', 40, 1])
    await database.run(resend, [])
    await work()
    expect(await left()).toEqual(['one waiting/40: 1'])
  })

  it('are deleted however many they are, of every webhook', async () => {
    for (const id of ['one', 'other'])
      await database.run(addDeliveries, [id, 'delivered', 40, BATCH_ROWS + 7])
    await database.run(addDeliveries, ['one', 'delivered', 1, 3])
    await work()
    expect(await left()).toEqual(['one delivered/1: 3'])
  })

  it.each([
    ['old', deleteOldDeliveries, 'deleteOld', 'TRUNCATE removed_webhooks'],
    ['removed', deleteRemovedDeliveries, 'deleteRemoved', "INSERT INTO removed_webhooks (id) VALUES ('one')"],
  ] as const)(
    'that are %s are deleted by two processes at once, each other ones',
    async (_what, statement, step, make) => {
      await database.run(addDeliveries, ['one', 'delivered', 40, 2 * BATCH_ROWS])
      await database.script(make)
      await database.transaction(async (queries) => {
        expect(await queries.run(statement, {})).toEqual([{ count: BATCH_ROWS }])
        expect(await createDeliveryStore(database, writeEvent)[step]()).toBe(BATCH_ROWS)
      })
      expect(await left()).toEqual([])
    },
  )

  it('that is sent again in the same moment is kept', async () => {
    await database.run(addDeliveries, ['one', 'failed', 40, 1])
    await database.transaction(async (queries) => {
      await queries.run(resend, [])
      await work()
    })
    expect(await left()).toEqual(['one failed/40: 1'])
  })

  it('of a webhook that was removed go after it, and nothing of it is left a day later', async () => {
    await database.run(addDeliveries, ['one', 'delivered', 1, BATCH_ROWS + 7])
    await database.run(addDeliveries, ['other', 'waiting', 1, 2])
    await createWebhookStore(database, writeEvent).remove('m', 'one', { id: 'e', actor: 'merchant' })
    await work()
    expect(await left()).toEqual(['other waiting/1: 2'])
    expect(await database.run(countRemoved, [])).toEqual([{ id: 'one' }])
    await database.script("UPDATE removed_webhooks SET removed_at = now() - interval '25 hours'")
    await work()
    expect(await database.run(countRemoved, [])).toEqual([])
  })
})
