import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chargeCalls, chargeOf } from '../../testing/charge-calls.ts'
import type { ChargeCalls } from '../../testing/charge-calls.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { chargeEvent } from './charge-event.ts'
import { cents, madeAttempt, madeCharge } from './testing/made-charge.ts'

let service: TestService
let calls: ChargeCalls
beforeAll(async () => {
  service = await createTestService()
  calls = chargeCalls(service)
})
afterAll(() => service.close())

const outbox = testStatement<{ id: string; type: string; actor: string; facts: object; subject: string }>(
  't_outbox',
  `SELECT id, type, actor, facts, subject FROM event_outbox WHERE subject = $1
   UNION ALL SELECT id, type, actor, facts, subject FROM events WHERE subject = $1`,
)
const attempts = testStatement<{ id: string; outcome: string; charge_id: string }>(
  't_attempts',
  'SELECT id, outcome, charge_id FROM attempts WHERE charge_id = $1 ORDER BY created_at, id',
)
const endHold = testStatement('t_end_hold', 'UPDATE charges SET hold_expires_at = now() WHERE id = $1')
const lastCharge = testStatement<{ id: string }>(
  't_last_charge',
  'SELECT id FROM charges ORDER BY created_at DESC LIMIT 1',
)

const held = async (charge: object = {}) => (await service.authorise(charge))._id
const sold = async (amount: string, query: string) => {
  const answer = await calls.sell({ amount, currency: 'AUD', token: await service.tokenise() }, query)
  if (answer.status === 201) return chargeOf(answer)._id
  return (await service.database.run(lastCharge, []))[0]?.id ?? ''
}
const resolve = () => service.runJob('resolve attempts')
const expire = async (id: string) => {
  await service.database.run(endHold, [id])
  await service.runJob('release ended holds')
}

/** The state table (contract §4): what happens to a charge, the events of all its attempts, and how it then is. */
const table: [string, () => Promise<string>, string[], string][] = [
  ['held', () => held(), ['charge.authorised'], 'pending'],
  ['taken at once', () => sold('10.00', ''), ['charge.captured'], 'complete'],
  ['declined', () => sold('9000.51', '?capture=false'), ['charge.failed'], 'failed'],
  ['gateway unreachable', () => sold('9000.91', '?capture=false'), ['charge.failed'], 'failed'],
  [
    'applied without an answer',
    async () => {
      const id = await sold('9000.68', '?capture=false')
      expect(await service.database.run(outbox, [id])).toEqual([])
      await resolve()
      return id
    },
    ['charge.authorised'],
    'pending',
  ],
  [
    'lost on the way',
    async () => {
      const id = await sold('9000.69', '?capture=false')
      await resolve()
      return id
    },
    ['charge.failed'],
    'failed',
  ],
  [
    'captured',
    async () => {
      const id = await held()
      await calls.capture(id)
      return id
    },
    ['charge.authorised', 'charge.captured'],
    'complete',
  ],
  [
    'cancelled',
    async () => {
      const id = await held()
      await calls.cancel(id)
      return id
    },
    ['charge.authorised', 'charge.cancelled'],
    'cancelled',
  ],
  [
    'hold period over',
    async () => {
      const id = await held()
      await expire(id)
      return id
    },
    ['charge.authorised', 'charge.expired'],
    'cancelled',
  ],
  [
    'capture declined',
    async () => {
      const id = await held({ amount: '9500.00' })
      await calls.capture(id, { amount: '9000.51' })
      return id
    },
    ['charge.authorised', 'charge.capture_failed'],
    'pending',
  ],
  [
    'refunded in parts, one of them declined',
    async () => {
      const id = await sold('9500.00', '')
      await calls.refund(id, { amount: '1.00' })
      await calls.refund(id, { amount: '9000.51' })
      await calls.refund(id, { amount: '9499.00' })
      return id
    },
    ['charge.captured', 'charge.refunded', 'charge.refund_failed', 'charge.refunded'],
    'refunded',
  ],
  [
    'refused by a rule: no attempt, no event',
    async () => {
      const id = await held()
      await calls.capture(id, { amount: '10.01' })
      await calls.refund(id, {})
      return id
    },
    ['charge.authorised'],
    'pending',
  ],
]

describe('each attempt that has its outcome has exactly its event', () => {
  it.each(table)('%s', async (_name, happen, types, status) => {
    const id = await happen()
    const [events, made] = await Promise.all([
      service.database.run(outbox, [id]),
      service.database.run(attempts, [id]),
    ])
    const byAttempt = made.map((attempt) => events.find((event) => event.id === attempt.id))
    expect(byAttempt.map((event) => event?.type)).toEqual(types)
    expect(events).toHaveLength(types.length)
    expect(byAttempt.at(-1)?.facts).toMatchObject({ status, currency: 'AUD' })
    expect((await calls.read(id)).status).toBe(status)
    const expected = types.map((type) => (type === 'charge.expired' ? 'service' : 'merchant'))
    expect(byAttempt.map((event) => event?.actor)).toEqual(expected)
  })

  it('of a hundred racing captures one has an event', async () => {
    const id = await held()
    await Promise.all(Array.from({ length: 100 }, () => calls.capture(id)))
    expect(await service.database.run(outbox, [id])).toHaveLength(2)
  })

  it('an outcome that is recorded twice at once has one', async () => {
    const id = await sold('9000.68', '?capture=false')
    await Promise.all([resolve(), resolve(), resolve()])
    expect(await service.database.run(outbox, [id])).toHaveLength(1)
  })

  it('without the event nothing is recorded either', async () => {
    const id = await held()
    await service.database.script('ALTER TABLE event_outbox RENAME TO away')
    expect((await calls.capture(id)).body.error?.code).toBe('outcome_unknown')
    await service.database.script('ALTER TABLE away RENAME TO event_outbox')
    const [, capture] = await service.database.run(attempts, [id])
    expect(capture?.outcome).toBe('open')
    await resolve()
    expect((await service.database.run(outbox, [id])).map(({ type }) => type)).toContain('charge.captured')
    expect((await calls.read(id)).status).toBe('complete')
  })
})

const OVER = 'authorisation_expired'

describe('the event of an attempt', () => {
  it.each([
    ['sale', 'approved', null, 'pending', 'charge.authorised'],
    ['sale', 'approved', null, 'complete', 'charge.captured'],
    ['sale', 'declined', null, 'failed', 'charge.failed'],
    ['sale', 'unreachable', null, 'failed', 'charge.failed'],
    ['sale', 'not_received', null, 'failed', 'charge.failed'],
    ['capture', 'approved', null, 'complete', 'charge.captured'],
    ['capture', 'declined', null, 'pending', 'charge.capture_failed'],
    ['refund', 'approved', null, 'refunded', 'charge.refunded'],
    ['refund', 'not_received', null, 'complete', 'charge.refund_failed'],
    ['cancel', 'approved', null, 'cancelled', 'charge.cancelled'],
    ['cancel', 'declined', null, 'pending', 'charge.cancel_failed'],
    ['cancel', 'approved', OVER, 'cancelled', 'charge.expired'],
    ['cancel', 'declined', OVER, 'cancelled', 'charge.expired'],
    ['cancel', 'declined', OVER, 'pending', 'charge.release_failed'],
    ['cancel', 'unreachable', OVER, 'pending', 'charge.release_failed'],
  ] as const)(
    '%s %s (because of %s) that leaves the charge %s: %s',
    (type, outcome, reason, status, event) => {
      const attempt = madeAttempt({ type, outcome, reason, amount: cents('7.00') })
      expect(chargeEvent(madeCharge(), attempt, status)).toEqual({
        type: event,
        actor: reason === null ? 'merchant' : 'service',
        facts: { attempt: type, outcome, amount: 700, currency: 'AUD', status },
      })
    },
  )

  it('says which user of the dashboard asked for it', () => {
    const attempt = madeAttempt({ type: 'capture', userId: 'u1' })
    expect(chargeEvent(madeCharge(), attempt, 'complete').actor).toBe('user:u1')
  })

  it('says why it was declined', () => {
    const attempt = madeAttempt({ outcome: 'declined', declineReason: 'suspected_fraud' })
    expect(chargeEvent(madeCharge(), attempt, 'failed').facts).toMatchObject({
      decline_reason: 'suspected_fraud',
    })
  })
})
