import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../platform/database/database.ts'
import { nextState } from '../../platform/state-machine.ts'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { dueToLock } from './due-store.ts'
import {
  endingToLock,
  markProcessing,
  recordOutcomes,
  settledCounts,
  waitingPayments,
} from './payment-sending-store.ts'
import { paymentsOfAgreement, shownOfAgreement, shownOfMerchant } from './payment-list.ts'
import {
  findPayment,
  oldRequests,
  paymentById,
  paymentByRequest,
  paymentCount,
  paymentTallies,
} from './payment-store.ts'
import { paymentMoves } from './payment.ts'
import type { PaymentAction, PaymentState } from './payment.ts'
import { cents } from './testing/made-agreement.ts'
import { openPaymentsBed } from './testing/payments-bed.ts'
import type { PaymentsBed } from './testing/payments-bed.ts'

const fill = `
  INSERT INTO agreement_payments (id, agreement_id, merchant_id, agreement_version, status, amount, reference, is_last,
    due_on, counts_on, idempotency_key_hash, next_at, created_at, updated_at)
  SELECT 'p' || n, 'a' || n % 2000, 'm' || n % 50, 0,
    CASE n % 400 WHEN 0 THEN 'received' WHEN 1 THEN 'processing' ELSE 'settled' END, 1000, 'r' || n, n <= 40,
    NULL, to_char(now() - n * interval '1 hour', 'YYYY-MM-DD'), CASE WHEN n <= 700 THEN 'k' || n END, CASE WHEN n % 400 < 2 THEN now() END,
    now() - n * interval '1 hour', now()
  FROM generate_series(1, 20000) n;
  INSERT INTO agreements (id, merchant_id, type, status, description, purpose, start_date, debtor, creditor, terms,
    max_payments, response_required_by, metadata, next_due_on, created_at, updated_at)
  SELECT 'a' || n, 'm' || n % 50, 'adhoc', 'active', 'Gym', 'other', '2026-01-01', '{}', '{}', '{}', 3, now(), '{}',
    CASE WHEN n % 100 = 0 THEN '2026-11-22' WHEN n % 2 = 0 THEN '2026-12-01' END, now(), now()
  FROM generate_series(1, 5000) n;
  ANALYZE agreement_payments; ANALYZE agreements;`

let database: Database
beforeAll(async () => {
  database = await createMigratedDatabase()
  await database.script(fill)
})
afterAll(() => database.close())

/** The plan that is kept for a statement, whatever its values, on tables with rows enough that an index pays. */
async function planOf({ name, text, names }: { name: string; text: string; names: readonly unknown[] }) {
  return database.transaction(async (queries) => {
    await queries.script(`SET LOCAL plan_cache_mode = force_generic_plan; PREPARE p_${name} AS ${text}`)
    const values = names.map(() => 'NULL').join(', ')
    const explain = testStatement<{ 'QUERY PLAN': string }>(
      `t_explain_${name}`,
      `EXPLAIN EXECUTE p_${name} ${names.length === 0 ? '' : `(${values})`}`,
    )
    const rows = await queries.run(explain, [])
    await queries.script(`DEALLOCATE p_${name}`)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
}

it.each([
  ['one is read', paymentById, ['agreement_payments_pkey']],
  ["an agreement's are listed", paymentsOfAgreement, ['agreement_payments_newest']],
  ["a merchant's are listed across agreements", shownOfMerchant, ['agreement_payments_by_status']],
  ["an agreement's are listed for people", shownOfAgreement, ['agreement_payments_newest']],
  ['they are tallied', paymentTallies, ['agreement_payments_counted', 'agreement_payments_last']],
  ['they are counted', paymentCount, ['agreement_payments_counted']],
  ['one is found by its key', paymentByRequest, ['agreement_payments_by_idempotency_key']],
  ['old keys are found', oldRequests, ['agreement_payments_by_age']],
  ['those that have settled are counted', settledCounts, ['agreement_payments_']],
  ['what is to be sent is found', waitingPayments.toSend, ['agreement_payments_to_send']],
  ['what waits for an answer is found', waitingPayments.unanswered, ['agreement_payments_unanswered']],
  ['what is due is found', dueToLock, ['agreements_due']],
  ['what may have come to its end is found', endingToLock, ['agreements_pkey']],
])('%s by an index, and no table is read through', async (_, asked, indexes) => {
  const plan = await planOf({ ...asked, names: asked.names })
  for (const index of indexes) expect(plan).toContain(index)
  expect(plan).not.toMatch(/Seq Scan on agreement/)
})

describe('in the database', () => {
  let bed: PaymentsBed
  beforeAll(async () => {
    bed = await openPaymentsBed('2026-11-25T01:00:00Z')
  })
  afterAll(() => bed.close())

  const NOW = new Date('2026-11-25T02:00:00Z')
  const setState = testStatement('t_set_state', 'UPDATE agreement_payments SET status = $2 WHERE id = $1')

  const STATES = ['received', 'processing', 'settled', 'failed', 'under_investigation'] as const
  const record = (paymentId: string, status: 'settled' | 'failed' | 'under_investigation') =>
    recordOutcomes(
      bed.database,
      [{ paymentId, status, failure: null, reference: 'n', nextAt: null, eventId: bed.deps.createId() }],
      NOW,
    )
  const ACTIONS: Readonly<Record<PaymentAction, (id: string) => Promise<unknown[]>>> = {
    send: (id) => markProcessing(bed.database, [{ id, eventId: bed.deps.createId() }], NOW),
    settle: (id) => record(id, 'settled'),
    fail: (id) => record(id, 'failed'),
    investigate: (id) => record(id, 'under_investigation'),
  }

  describe.each(STATES)('a payment that is %s', (state: PaymentState) => {
    it.each(['send', 'settle', 'fail', 'investigate'] as const)(
      'goes by %s if the table allows it, with an event',
      async (action) => {
        const agreement = await bed.makeAgreement()
        const request = { amount: cents('10.00'), reference: 'r', last_payment: false }
        const { id } = await bed.accept(agreement, request)
        await bed.database.run(setState, [id, state])
        const moved = await ACTIONS[action](id)
        const next = nextState(paymentMoves, state, action)
        expect((await findPayment(bed.database, id))?.status).toBe(next ?? state)
        expect(moved).toHaveLength(next === null ? 0 : 1)
        expect(await bed.eventsOf(id)).toHaveLength(next === null ? 1 : 2)
      },
    )
  })
})
