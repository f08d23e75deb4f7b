import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { BATCH_ROWS, workInBatches } from '../../platform/jobs/batches.ts'
import type { Database } from '../../platform/database/database.ts'
import { nextState } from '../../platform/state-machine.ts'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { deliveryMoves, deliveryStateOf } from './delivery.ts'
import type { DeliveryAction, DeliveryState, DueDelivery } from './delivery.ts'
import * as store from './delivery-store.ts'
import { removeWebhook } from './webhook-store.ts'

const addWebhook = testStatement(
  't_add_webhook',
  `INSERT INTO webhooks (id, merchant_id, url, event_types, master_key_id, wrapped_data_key, secret)
   VALUES ($1, $2, 'https://shop.example', '{}', 'k', '', '')`,
)

let database: Database
beforeAll(async () => (database = await createMigratedDatabase()))
afterAll(() => database.close())
beforeEach(() => database.script('TRUNCATE webhooks, webhook_deliveries, removed_webhooks'))

const createId = () => randomBytes(12).toString('hex')

const addEvent = testStatement(
  't_add_event',
  `INSERT INTO events (seq, id, merchant_id, type, subject, actor, facts, created_at, hash)
   SELECT count(*), $1, 'm', 'charge.captured', 'c', 'merchant', '{}', now(), '' FROM events`,
)
const addDeliveryIn = testStatement(
  't_add_delivery_in_state',
  `INSERT INTO webhook_deliveries (webhook_id, event_id, attempts, next_at, delivered_at, gave_up_at)
   SELECT $1, $2, 1, CASE $3 WHEN 'waiting' THEN now() - interval '1 second' END, CASE $3 WHEN 'delivered' THEN now() END,
          CASE $3 WHEN 'failed' THEN now() END`,
)
const readDelivery = testStatement<{ nextAt: Date | null; deliveredAt: Date | null; row: string }>(
  't_read_delivery',
  'SELECT next_at AS "nextAt", delivered_at AS "deliveredAt", d::text AS row FROM webhook_deliveries d WHERE webhook_id = $1',
)
const FAILURE = { status: 500, fault: 'the server said 500' }
const DELIVERY_ACTIONS: Readonly<Record<DeliveryAction, (due: DueDelivery) => Promise<unknown>>> = {
  take: ({ webhook, event }) =>
    store.takeDue(database, [{ id: 't', merchantId: 'm', targetId: webhook.id, eventId: event.id }]),
  give_back: (due) => store.giveBack(database, due),
  deliver: (due) => store.recordDelivered(database, due, 200),
  retry: (due) => store.recordFailed(database, due, FAILURE, 60),
  give_up: (due) => store.recordFailed(database, due, FAILURE, null),
  disable: (due) => store.disableAfterGone(database, due, createId()),
}

describe.each(['waiting', 'delivered', 'failed'] as const)(
  'a delivery in the database that is %s',
  (state: DeliveryState) => {
    it.each(['take', 'give_back', 'deliver', 'retry', 'give_up', 'disable'] as const)(
      'takes the action %s as the state table says',
      async (action: DeliveryAction) => {
        const secret = { masterKeyId: 'k', wrappedDataKey: Buffer.alloc(0), text: Buffer.alloc(0) }
        const webhook = { id: createId(), merchantId: 'm', url: 'https://shop.example', secrets: [secret] }
        const event = { id: createId(), type: 'charge.captured', subject: 'c', createdAt: new Date() }
        await database.run(addWebhook, [webhook.id, 'm'])
        await database.run(addEvent, [event.id])
        await database.run(addDeliveryIn, [webhook.id, event.id, state])
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

const addDelivery = testStatement(
  't_add_delivery',
  `INSERT INTO webhook_deliveries (webhook_id, event_id, attempts, next_at)
   VALUES ($1, $2, 0, now() - $3::int * interval '1 second')`,
)

/** `due`: for how many seconds each delivery to each webhook has been. */
async function addDue(merchant: string, due: Record<string, readonly number[]>) {
  for (const [webhook, seconds] of Object.entries(due)) {
    await database.run(addWebhook, [webhook, merchant])
    for (const each of seconds) await database.run(addDelivery, [webhook, `${webhook}-${each}`, each])
  }
}

describe('what is due', () => {
  it('takes the longest due of each webhook first, and nothing of one without capacity', async () => {
    await addDue('m', { busy: [90, 80, 70, 60], late: [50], recent: [10], silent: [99] })
    const found = async (max: number) => {
      const targets = new Map([['silent', 0]])
      return (await store.findDue(database, { max, eachTarget: 3, targets })).map(({ eventId }) => eventId)
    }
    expect(await found(1)).toEqual(['busy-90', 'late-50'])
    expect(await found(2)).toEqual(['busy-90', 'late-50', 'recent-10', 'busy-80'])
    expect(await found(100)).toEqual(['busy-90', 'late-50', 'recent-10', 'busy-80', 'busy-70'])
  })

  it('is found beside the backlog of another merchant, and of slow webhooks', async () => {
    const many = (name: string, seconds: number) =>
      Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`${name}-${at}`, [seconds]]))
    await addDue('greedy', many('greedy', 90))
    await addDue('other', { other: [50] })
    await addDue('unlucky', { ...many('slow', 99), quick: [10] })
    const targets = new Map(Array.from({ length: 8 }, (_, at) => [`slow-${at}`, 1]))
    const found = await store.findDue(database, { max: 2, eachTarget: 3, targets })
    const countOf = (name: string) => found.filter(({ targetId }) => targetId.startsWith(name)).length
    expect({ greedy: countOf('greedy'), other: countOf('other'), quick: countOf('quick') }).toEqual({
      greedy: 2,
      other: 1,
      quick: 1,
    })
    expect(countOf('slow')).toBe(4)
  })
})

/** So many of them in one state, made so many days ago. */
const addDeliveries = testStatement(
  't_add_deliveries',
  `INSERT INTO webhook_deliveries (webhook_id, event_id, attempts, created_at, next_at, delivered_at, gave_up_at)
   SELECT $1, $2::text || '/' || $3 || '/' || n, 1, now() - $3::float8 * interval '1 day',
          CASE $2 WHEN 'waiting' THEN now() - $3::float8 * interval '1 day' END,
          CASE $2 WHEN 'delivered' THEN now() END, CASE $2 WHEN 'failed' THEN now() END
   FROM generate_series(1, $4::integer) n`,
)
const countDeliveries = testStatement<{ what: string; count: number }>(
  't_count_deliveries',
  `SELECT webhook_id || ' ' || regexp_replace(event_id, '/\\d+$', '') AS what, count(*)::int AS count
   FROM webhook_deliveries GROUP BY 1 ORDER BY 1`,
)
const resend = testStatement('t_resend', 'UPDATE webhook_deliveries SET next_at = now(), gave_up_at = NULL')
const countRemoved = testStatement<{ id: string }>('t_removed', 'SELECT id FROM removed_webhooks')

const work = () => {
  const steps = [store.deleteOldDeliveries, store.deleteRemovedDeliveries]
  return workInBatches(steps.map((step) => () => step(database))).work()
}
const left = async () =>
  (await database.run(countDeliveries, [])).map(({ what, count }) => `${what}: ${String(count)}`)

describe('old deliveries', () => {
  beforeEach(async () => {
    for (const id of ['one', 'other']) await database.run(addWebhook, [id, 'm'])
  })

  it.each([
    ['delivered', 29.9, 1],
    ['delivered', 30.1, 0],
    ['failed', 29.9, 1],
    ['failed', 30.1, 0],
    ['waiting', 31, 1],
  ])('that are %s and %d days old are kept or deleted: %i is left', async (state, days, kept) => {
    await database.run(addDeliveries, ['one', state, days, 1])
    await work()
    expect(await left()).toHaveLength(kept)
  })

  it.each([29.9, 30.1])(
    'that wait for a disabled webhook and are %d days old go after 30 days',
    async (days) => {
      await database.script("UPDATE webhooks SET disabled_at = now() WHERE id = 'one'")
      for (const id of ['one', 'other']) await database.run(addDeliveries, [id, 'waiting', days, 2])
      await work()
      const kept = days < 30 ? [`one waiting/${days}: 2`] : []
      expect(await left()).toEqual([...kept, `other waiting/${days}: 2`])
    },
  )

  it('that are sent again stay, also if the webhook is disabled', async () => {
    await database.script('UPDATE webhooks SET disabled_at = now()')
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
    ['old', store.deleteOld, store.deleteOldDeliveries, 'TRUNCATE removed_webhooks'],
    [
      'removed',
      store.deleteRemoved,
      store.deleteRemovedDeliveries,
      "INSERT INTO removed_webhooks (id) VALUES ('one')",
    ],
  ] as const)(
    'that are %s are deleted by two processes at once, each a batch of its own',
    async (_what, statement, step, make) => {
      await database.run(addDeliveries, ['one', 'delivered', 40, 2 * BATCH_ROWS])
      await database.script(make)
      await database.transaction(async (queries) => {
        expect(await queries.run(statement, {})).toEqual([{ count: BATCH_ROWS }])
        expect(await step(database)).toBe(BATCH_ROWS)
      })
      expect(await left()).toEqual([])
    },
  )

  it('are kept if they are sent again in the same moment', async () => {
    await database.run(addDeliveries, ['one', 'failed', 40, 1])
    await database.transaction(async (queries) => {
      await queries.run(resend, [])
      await work()
    })
    expect(await left()).toEqual(['one failed/40: 1'])
  })

  it('of a removed webhook are deleted, and the webhook is forgotten a day later', async () => {
    await database.run(addDeliveries, ['one', 'delivered', 1, BATCH_ROWS + 7])
    await database.run(addDeliveries, ['other', 'waiting', 1, 2])
    await removeWebhook(database, { merchantId: 'm', id: 'one' }, { id: 'e', actor: 'merchant' })
    await work()
    expect(await left()).toEqual(['other waiting/1: 2'])
    expect(await database.run(countRemoved, [])).toEqual([{ id: 'one' }])
    await database.script("UPDATE removed_webhooks SET removed_at = now() - interval '25 hours'")
    await work()
    expect(await database.run(countRemoved, [])).toEqual([])
  })
})
