import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { writeEvent } from '../events/write-event.ts'
import { asOfEventBy } from './agreement-resource.ts'
import { createAgreementStore } from './agreement-store.ts'
import { agreementCalls } from './testing/agreement-calls.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService({ database: await createMigratedDatabase() })
})
afterAll(async () => {
  await service.close()
  await service.database.close()
})

const readEvents = testStatement<{ id: string; type: string; subject: string; actor: string }>(
  't_agreement_events',
  "SELECT id, type, subject, actor FROM event_outbox WHERE type LIKE 'agreement.%' ORDER BY created_at",
)

it('an event of an agreement shows it as it was right after the event', async () => {
  const calls = await agreementCalls(service)
  const { _id: id } = await calls.createActive()
  await calls.amend(id, { description: 'Acme Gas' })
  await calls.changeStatus(id, { action: 'cancel', reason_code: 'dispute' })
  const events = await service.database.run(readEvents, [])
  expect(events.map(({ type, actor }) => [type, actor])).toEqual([
    ['agreement.created', 'merchant'],
    ['agreement.accepted', 'debtor'],
    ['agreement.amended', 'merchant'],
    ['agreement.cancelled', 'merchant'],
  ])
  const asOfEvent = asOfEventBy(createAgreementStore(service.database, writeEvent))
  const shown = await Promise.all(events.map(asOfEvent))
  expect(shown.map(({ _id, status, version, description }) => [_id, status, version, description])).toEqual([
    [id, 'created', 0, 'Acme Power'],
    [id, 'active', 0, 'Acme Power'],
    [id, 'active', 1, 'Acme Gas'],
    [id, 'cancelled', 1, 'Acme Gas'],
  ])
  await expect(asOfEvent({ id: 'other', subject: id })).rejects.toThrow('of no agreement')
})
