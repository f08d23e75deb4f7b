import { afterAll, beforeAll, expect, it } from 'vitest'
import { createIds } from '../../platform/identifiers.ts'
import type { Database } from '../../platform/database/database.ts'
import { capturedLog } from '../../testing/captured-log.ts'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { testStatement } from '../../testing/test-statement.ts'
import type { News } from '../gateways/gateway.ts'
import { workOffNotifications } from './inbox.ts'
import { keepNews, listNotifications, lookAgain } from './notification-store.ts'

let database: Database
beforeAll(async () => {
  database = await createMigratedDatabase()
})
afterAll(() => database.close())

const letTimePass = testStatement(
  't_time_of_notifications',
  `UPDATE gateway_notifications SET received_at = received_at - $1::interval, try_after = now() - interval '1 second'
   WHERE state = 'waiting'`,
)

const news = (key: string): News => ({
  key,
  name: 'CAPTURE',
  at: new Date(0),
  attemptId: null,
  saleId: key,
  externalId: key,
  amount: null,
  currency: null,
  says: { kind: 'hold_ended' },
  sent: null,
})
const account = { gatewayId: 'g', gatewayType: 'adyen', merchantId: 'm' }

it('news at which the service fails for an hour is given up, shown and replayable; other news is heard', async () => {
  const { log, logged } = capturedLog()
  const createId = createIds({ epochMs: () => Date.now() })
  const deps: Parameters<typeof workOffNotifications>[0] = {
    database,
    hearNews: (_by, { key }) =>
      key === 'bad'
        ? Promise.reject(new Error('a fault of ours'))
        : Promise.resolve({ kind: 'done', chargeId: null }),
    log,
  }
  for (const key of ['bad', 'good']) await keepNews(database, createId(), account, news(key))
  await database.run(letTimePass, ['1 second'])
  await workOffNotifications(deps)
  expect(await listNotifications(database, 'waiting')).toHaveLength(1)
  expect(await listNotifications(database, 'done')).toHaveLength(1)
  await database.run(letTimePass, ['1 hour'])
  await workOffNotifications(deps)
  expect(await listNotifications(database, 'waiting')).toEqual([])
  const [given] = await listNotifications(database, 'unexplained')
  expect(given?.why).toContain('replay it once that is put right')
  expect(logged()).toContain('a fault of ours')
})

it('news that contradicted its charge is heard again once other news has changed the charge', async () => {
  const { log } = capturedLog()
  const createId = createIds({ epochMs: () => Date.now() })
  const changed = new Set<string>()
  const deps: Parameters<typeof workOffNotifications>[0] = {
    database,
    hearNews: (_by, { key }) => {
      const chargeId = 'c1'
      if (key === 'change') changed.add(chargeId)
      return Promise.resolve(
        changed.has(chargeId)
          ? { kind: 'done', chargeId }
          : { kind: 'unexplained', why: 'It does not fit.', chargeId },
      )
    },
    log,
  }
  await keepNews(database, createId(), account, news('odd'))
  await database.run(letTimePass, ['1 second'])
  await workOffNotifications(deps)
  const unexplained = async () =>
    (await listNotifications(database, 'unexplained')).filter(({ why }) => why === 'It does not fit.')
  expect(await unexplained()).toHaveLength(1)
  await keepNews(database, createId(), account, news('change'))
  await database.run(letTimePass, ['1 second'])
  await workOffNotifications(deps)
  expect(await unexplained()).toEqual([])
})

it('news that is given up while other news changes its charge is heard again', async () => {
  const { log } = capturedLog()
  const createId = createIds({ epochMs: () => Date.now() })
  let hasChanged = false
  const deps: Parameters<typeof workOffNotifications>[0] = {
    database,
    hearNews: async () => {
      const chargeId = 'c2'
      if (hasChanged) return { kind: 'done', chargeId }
      // Another process hears the other news, before this one has recorded what came of its own.
      hasChanged = true
      await lookAgain(database, account, chargeId)
      return { kind: 'unexplained', why: 'It did not fit then.', chargeId }
    },
    log,
  }
  await keepNews(database, createId(), account, news('overtaken'))
  for (let run = 0; run < 2; run += 1) {
    await database.run(letTimePass, ['1 second'])
    await workOffNotifications(deps)
  }
  const why = (await listNotifications(database, 'unexplained')).map((one) => one.why)
  expect(why).not.toContain('It did not fit then.')
})
