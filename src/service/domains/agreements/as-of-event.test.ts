import * as v from 'valibot'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { writeEvent } from '../events/write-event.ts'
import { asOfEventBy } from './agreement-resource.ts'
import { createAgreementStore } from './agreement-store.ts'
import { agreementCalls } from './testing/agreement-calls.ts'
import { createNetworkService } from './testing/network-service.ts'

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

const Events = v.array(
  v.object({ type: v.string(), data: v.looseObject({ _id: v.string(), updated_at: v.string() }) }),
)

it('the later of two events has the later updated_at, also when a process’s clock is behind', async () => {
  const now = Date.now()
  const bed = await createNetworkService(() => now)
  bed.double.payWith({ kind: 'settled', reference: 'n' })
  await bed.goForward(1000)
  const id = await bed.makeActive()
  await bed.calls.changeStatus(id, { action: 'suspend', reason_code: 'dispute' })
  await bed.service.runJob('send instructions')
  await bed.goForward(-10)
  await bed.calls.changeStatus(id, { action: 'release' })
  await bed.goForward(10)
  await bed.service.runJob('send instructions')
  await bed.calls.pay(id, { amount: '10.00', reference: 'r' })
  await bed.service.runJob('send payments')
  await bed.service.runJob('seal events')
  const { body } = await bed.service.call({
    url: '/v1/events?limit=100',
    headers: { 'x-user-secret-key': bed.service.merchant.secretKey },
  })
  const events = v.parse(Events, body.resource.data).reverse()
  expect(events.map(({ type }) => type)).toEqual([
    'agreement.created',
    'agreement.accepted',
    'agreement.suspended',
    'agreement.released',
    'payment.received',
    'payment.processing',
    'payment.settled',
  ])
  for (const kind of ['agreement', 'payment']) {
    const times = events.filter(({ type }) => type.startsWith(kind)).map(({ data }) => data.updated_at)
    expect([kind, times]).toEqual([kind, [...new Set(times)].sort()])
  }
  await bed.close()
})
