import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../../platform/database/database.ts'
import { createMigratedDatabase } from '../../../testing/test-database.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { createWebhookReceiver, makeWebhook, sendWebhooks } from '../../../testing/webhook-receiver.ts'

/** Longer than a list of due messages is used. */
const SLOW_MS = 250

let database: Database
let service: TestService
beforeAll(async () => {
  database = await createMigratedDatabase()
  const slow: Database['run'] = async (statement, values) => {
    if (statement.name === 'find_due_deliveries') await sleep(SLOW_MS)
    return database.run(statement, values)
  }
  service = await createTestService({ database: { ...database, run: slow } })
})
afterAll(async () => {
  await service.close()
  await database.close()
})

it('messages are sent also where the database takes long to find them', async () => {
  const receiver = await createWebhookReceiver()
  await makeWebhook(service, { url: receiver.url })
  await service.authorise()
  await sendWebhooks(service)
  expect(receiver.types()).toEqual(['charge.authorised'])
  await receiver.close()
})
