import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tokenClaim } from '../payment-sources/token-store.ts'
import { attemptMoves, chargeMoves } from './charge.ts'
import type { AttemptAction, ChargeStatus, Outcome } from './charge.ts'
import { beginFollowUp, createAttemptStatements, leaveOpen, writeOutcome } from './attempt-store.ts'
import { takeAttempts } from './unfinished-store.ts'
import { cents, madeAttempt, madeCharge } from './testing/made-charge.ts'
import type { Database } from '../../platform/database/database.ts'
import { nextState } from '../../platform/state-machine.ts'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { chargeCalls, chargeOf } from '../../testing/charge-calls.ts'
import type { ChargeCalls } from '../../testing/charge-calls.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'

describe('the state tables', () => {
  let database: Database
  beforeAll(async () => {
    database = await createMigratedDatabase()
  })
  afterAll(() => database.close())

  const statements = createAttemptStatements(tokenClaim)

  const createId = () => randomBytes(12).toString('hex')

  const addCharge = testStatement(
    't_add_charge',
    `INSERT INTO charges (id, merchant_id, gateway_id, token_hash, status, pre_auth, amount, currency, customer, payment_source,
                        hold_expires_at, open_attempt_id)
   VALUES ($1, 'm', 'g', 't', $2, true, 1000, 'AUD', '{}', '{"gateway_type":"sandbox"}', now() + interval '1 hour', $3)`,
  )
  const addAttempt = testStatement(
    't_add_attempt',
    `INSERT INTO attempts (id, charge_id, type, amount, outcome, ask_after)
   VALUES ($1, $2, 'capture', 1000, $3, now() + CASE WHEN $4 THEN -1 ELSE 1 END * interval '1 minute')`,
  )
  const readAttempt = testStatement<{ outcome: Outcome; row: string }>(
    't_read_attempt',
    'SELECT outcome, a::text AS row FROM attempts a WHERE id = $1',
  )

  describe.each(['processing', 'pending', 'complete', 'cancelled', 'failed', 'refunded'] as const)(
    'in the database a charge that is %s',
    (status: ChargeStatus) => {
      it.each([
        ['capture', 'captured'],
        ['cancel', 'cancelled'],
        ['refund', 'refunded'],
      ] as const)('takes a %s where the table has it', async (type, event) => {
        const id = createId()
        await database.run(addCharge, [id, status, null])
        const asked = {
          id: createId(),
          type,
          reason: null,
          amount: cents('1.00'),
          userId: null,
          sourceIp: null,
        }
        const charge = madeCharge({ id, status, version: 0 })
        const begun = await beginFollowUp(database, charge, {
          ...asked,
          reference: null,
          idempotentRequest: null,
        })
        expect(begun !== null).toBe(nextState(chargeMoves, status, event) !== null)
      })
    },
  )

  describe.each(['open', 'approved', 'declined', 'unreachable', 'not_received'] as const)(
    'in the database an attempt that is %s',
    (outcome: Outcome) => {
      it.each(['left_open', 'asked_for', 'approved', 'declined', 'unreachable', 'not_received'] as const)(
        'that is %s goes where the table says',
        async (action: AttemptAction) => {
          const charge = madeCharge({ id: createId() })
          const attempt = madeAttempt({ id: createId(), type: 'capture' })
          await database.run(addCharge, [charge.id, 'pending', attempt.id])
          await database.run(addAttempt, [attempt.id, charge.id, outcome, action === 'asked_for'])
          const [before] = await database.run(readAttempt, [attempt.id])
          if (action === 'left_open') await leaveOpen({ database, statements, createId }, charge, attempt)
          else if (action === 'asked_for')
            await takeAttempts(database, [{ id: attempt.id, merchantId: 'm', targetId: 'g' }])
          else
            await writeOutcome({ database, statements, createId }, charge, {
              attempt: { ...attempt, outcome: action },
              status: 'pending',
              holdSeconds: null,
              event: { type: 'charge.captured', actor: 'merchant', facts: {} },
              passed: null,
            })
          const [after] = await database.run(readAttempt, [attempt.id])
          const next = nextState(attemptMoves, outcome, action)
          expect(after?.outcome).toBe(next ?? outcome)
          expect(after?.row !== before?.row).toBe(next !== null)
        },
      )
    },
  )
})

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

describe('each outcome has exactly one event', () => {
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

  it('if a hundred captures race', async () => {
    const id = await held()
    await Promise.all(Array.from({ length: 100 }, () => calls.capture(id)))
    expect(await service.database.run(outbox, [id])).toHaveLength(2)
  })

  it('if it is recorded twice at once', async () => {
    const id = await sold('9000.68', '?capture=false')
    await Promise.all([resolve(), resolve(), resolve()])
    expect(await service.database.run(outbox, [id])).toHaveLength(1)
  })

  it('and is not recorded without it', async () => {
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
