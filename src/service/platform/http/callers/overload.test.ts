import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { pino } from 'pino'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { createApp } from '../app.ts'
import { memoryShareOfProcess, watchOverload } from './admission.ts'
import { testStatement } from '../../../testing/test-statement.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())

/** How many were shed; on a busy machine others may have waited too long for a connection. */
const turnedAway = (answers: { body: string }[]) =>
  answers.filter(({ body }) => body.includes('too busy')).length

const nap = testStatement('test_nap', 'SELECT pg_sleep(1.5)')

it('serves a burst of 1,000 requests; refuses the next once the database’s queue is too long', async () => {
  const options = { url: '/v1/charges', headers: { 'x-user-secret-key': service.merchant.secretKey } }
  const burst = (count: number) => Promise.all(Array.from({ length: count }, () => service.raw(options)))
  expect(turnedAway(await burst(1000))).toBe(0)

  expect(await service.call(options)).toMatchObject({ status: 200 })
  const naps = Array.from({ length: 8 }, () => service.database.run(nap, []))
  const line = burst(2100)
  while (service.database.connections().waiting <= 2000) await sleep(5)
  expect(await service.call(options)).toMatchObject({
    status: 503,
    headers: { 'retry-after': '2' },
    body: { error: { code: 'service_unavailable' }, resource: { type: 'charge', data: null } },
  })
  const lastWord = service.raw({ url: `/3ds/${'a'.repeat(24)}/return` })
  const health = service.call({ url: '/health' })
  await naps[0]
  expect((await health).status).not.toBe(503)
  expect((await lastWord).statusCode).toBe(404)
  expect(turnedAway(await line)).toBe(0)
  expect(await service.call(options)).toMatchObject({ status: 200 })
}, 60_000)

it('one long stall of the process turns nobody away', async () => {
  const app = createApp(pino({ level: 'silent' }))
  const isOverloaded = watchOverload(app, { waiting: () => 0, memoryShare: () => 0.5 })
  const end = Date.now() + 1600
  while (Date.now() < end);
  await sleep(600)
  expect(isOverloaded()).toBe(false)
  await app.close()
})

it('memory that stays short turns away, and no more when there is some again', async () => {
  const app = createApp(pino({ level: 'silent' }))
  let share = 0.95
  const isOverloaded = watchOverload(app, { waiting: () => 0, memoryShare: () => share })
  await sleep(600)
  expect(isOverloaded()).toBe(false)
  await vi.waitFor(() => expect(isOverloaded()).toBe(true), 10_000)
  share = 0.8
  await vi.waitFor(() => expect(isOverloaded()).toBe(false), 10_000)
  await app.close()
})

it('the share of memory grows with what is held', () => {
  // What other tests have left would be taken away in the middle.
  setFlagsFromString('--expose-gc')
  runInNewContext('gc()')
  const before = memoryShareOfProcess()
  const held = Array.from({ length: 4_000_000 }, (_, at) => ({ at }))
  const after = memoryShareOfProcess()
  expect(before).toBeGreaterThan(0)
  expect(after).toBeGreaterThan(before)
  expect(after).toBeLessThan(1)
  expect(held).toHaveLength(4_000_000)
})
