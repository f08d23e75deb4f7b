import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeEvent } from '../events/write-event.ts'
import { tokenClaim } from '../payment-sources/token-claim.ts'
import { attemptMoves, chargeMoves } from './charge.ts'
import type { AttemptAction, ChargeStatus, Outcome } from './charge.ts'
import { beginFollowUp, createAttemptStatements, leaveOpen, writeOutcome } from './attempt-store.ts'
import { takeAttempts } from './unfinished-store.ts'
import { cents, madeAttempt, madeCharge } from './testing/made-charge.ts'
import type { Database } from '../../platform/database/database.ts'
import { nextState } from '../../platform/state-machine.ts'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { testStatement } from '../../testing/test-statement.ts'

let database: Database
beforeAll(async () => {
  database = await createMigratedDatabase()
})
afterAll(() => database.close())

const statements = createAttemptStatements(tokenClaim, writeEvent)

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
        if (action === 'left_open') await leaveOpen({ database, statements }, charge, attempt)
        else if (action === 'asked_for')
          await takeAttempts(database, [{ id: attempt.id, merchantId: 'm', targetId: 'g' }])
        else
          await writeOutcome({ database, statements }, charge, {
            attempt: { ...attempt, outcome: action },
            status: 'pending',
            holdSeconds: null,
            event: { type: 'charge.captured', actor: 'merchant', facts: {} },
          })
        const [after] = await database.run(readAttempt, [attempt.id])
        const next = nextState(attemptMoves, outcome, action)
        expect(after?.outcome).toBe(next ?? outcome)
        expect(after?.row !== before?.row).toBe(next !== null)
      },
    )
  },
)
