import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { intentListFor } from './intent-list.ts'
import * as store from './intent-store.ts'
import { intentMoves, intentStateOf } from './intent.ts'
import type { Intent, IntentAction, IntentState } from './intent.ts'
import { madeIntent } from '../../testing/made-intent.ts'
import type { Database } from '../../platform/database/database.ts'
import { nextState } from '../../platform/state-machine.ts'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { keptPlanOf } from '../../testing/plan-of.ts'
import { testStatement } from '../../testing/test-statement.ts'

let database: Database
beforeAll(async () => {
  database = await createMigratedDatabase()
})
afterAll(() => database.close())

const createId = () => randomBytes(12).toString('hex')

const setIntent = testStatement(
  't_set_intent',
  "UPDATE checkout_intents SET status = $2, charge_id = $3, expires_at = now() + $4 * interval '1 second' WHERE id = $1",
)
const readIntent = testStatement<{ status: Intent['status']; chargeId: string | null; row: string }>(
  't_read_intent',
  'SELECT status, charge_id AS "chargeId", i::text AS row FROM checkout_intents i WHERE id = $1',
)
const CHARGE = 'a'.repeat(24)
const INTENTS: Readonly<Record<IntentState, readonly [string, string | null]>> = {
  payable: ['active', null],
  paying: ['active', CHARGE],
  completed: ['completed', CHARGE],
  expired: ['expired', null],
  cancelled: ['cancelled', null],
}
const INTENT_ACTIONS: Readonly<Record<IntentAction, (id: string) => Promise<unknown>>> = {
  view: (id) => store.noteViewed(database, id),
  edit: (id) =>
    store.editIntent(
      database,
      { id, revision: 0 },
      { reference: 'order-2', description: null, metadata: {} },
    ),
  begin_payment: (id) =>
    store.beginPayment(
      database,
      { id, revision: 0 },
      { chargeId: CHARGE, paymentSourceHash: Buffer.from('t') },
    ),
  complete: (id) => store.completeIntent({ database, createId }, id, CHARGE),
  fail_payment: (id) => store.failPayment(database, id, CHARGE, 'transaction_declined'),
  cancel: (id) => store.cancelIntent({ database, createId }, id),
  expire: () => store.expireIntents({ database, createId }, () => Promise.resolve(true)),
}

describe.each(['payable', 'paying', 'completed', 'expired', 'cancelled'] as const)(
  'an intent in the database that is %s',
  (state: IntentState) => {
    it.each(['view', 'edit', 'begin_payment', 'complete', 'fail_payment', 'cancel', 'expire'] as const)(
      'takes the action %s as the state table says',
      async (action: IntentAction) => {
        const id = createId()
        await store.addIntent(database, madeIntent({ id }), null)
        await database.run(setIntent, [id, ...INTENTS[state], action === 'expire' ? -1 : 60])
        const [before] = await database.run(readIntent, [id])
        await INTENT_ACTIONS[action](id)
        const [after] = await database.run(readIntent, [id])
        if (after === undefined) throw new Error('the intent has gone')
        const next = nextState(intentMoves, state, action)
        expect(intentStateOf(after)).toBe(next ?? state)
        expect(after.row !== before?.row).toBe(next !== null)
      },
    )
  },
)

describe('a list of intents', () => {
  const fill = `
    INSERT INTO checkout_intents (id, merchant_id, workflow_version, status, amount, currency, reference, customer,
      configuration, customisation, journey, created_at, expires_at)
    SELECT lpad(to_hex(n), 24, '0'), CASE WHEN n % 2 = 0 THEN 'big' ELSE 'm' || n % 50 END, 1,
      CASE WHEN n % 20 = 0 THEN 'active' WHEN n % 3 = 0 THEN 'expired' ELSE 'completed' END, 1000, 'AUD', 'cart-' || n,
      '{}', '{}', '{}', '[]', now() - n * interval '1 minute', now() + interval '10 minutes'
    FROM generate_series(1, 10000) n;
    ANALYZE checkout_intents;`

  let filled: Database
  beforeAll(async () => {
    filled = await createMigratedDatabase()
    await filled.script(fill)
  })
  afterAll(() => filled.close())

  it.each([
    [null, null, 'checkout_intents_newest'],
    ['expired', null, 'checkout_intents_by_status'],
  ] as const)(
    'by status %s and reference %s reads an index in its order',
    async (status, reference, index) => {
      const plan = await keptPlanOf(filled, intentListFor({ status, reference }))
      expect(plan).toContain(`Index Scan using ${index}`)
      expect(plan).not.toMatch(/Bitmap|Seq Scan/)
    },
  )

  it.each([null, 'expired'] as const)(
    'by a reference, which all may share, and status %s begins at its place in an index',
    async (status) => {
      const plan = await keptPlanOf(filled, intentListFor({ status, reference: 'cart-7' }))
      const place =
        /by_reference_and_status on.*\n +Index Cond: .*reference = .*status = .*ROW\(created_at, id\)/
      expect(plan).toMatch(place)
      expect(plan).not.toMatch(/Bitmap|Seq Scan on checkout_intents/)
    },
  )
})
