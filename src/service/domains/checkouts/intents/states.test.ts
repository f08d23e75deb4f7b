import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeEvent } from '../../events/write-event.ts'
import { createIntentPaymentStore } from './intent-payment-store.ts'
import type { IntentPaymentStore } from './intent-payment-store.ts'
import { createIntentStore } from './intent-store.ts'
import type { IntentStore } from './intent-store.ts'
import { intentMoves, intentStateOf } from './intent.ts'
import type { Intent, IntentAction, IntentState } from './intent.ts'
import { madeIntent } from '../testing/made-intent.ts'
import type { Database } from '../../../platform/database/database.ts'
import { nextState } from '../../../platform/state-machine.ts'
import { createMigratedDatabase } from '../../../testing/test-database.ts'
import { testStatement } from '../../../testing/test-statement.ts'

let database: Database
let intents: IntentStore
let payments: IntentPaymentStore
beforeAll(async () => {
  database = await createMigratedDatabase()
  intents = createIntentStore(database, { writeEvent, createId })
  payments = createIntentPaymentStore(database, { writeEvent, createId })
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
  view: (id) => intents.view(id),
  begin_payment: (id) =>
    payments.begin(database, { id, revision: 0 }, { chargeId: CHARGE, paymentSourceHash: Buffer.from('t') }),
  complete: (id) => payments.complete(id, CHARGE),
  fail_payment: (id) => payments.fail(id, CHARGE, 'transaction_declined'),
  cancel: (id) => intents.cancel(id),
  expire: () => intents.expire(() => Promise.resolve(true)),
}

describe.each(['payable', 'paying', 'completed', 'expired', 'cancelled'] as const)(
  'in the database an intent that is %s',
  (state: IntentState) => {
    it.each(['view', 'begin_payment', 'complete', 'fail_payment', 'cancel', 'expire'] as const)(
      'goes by %s where the table says',
      async (action: IntentAction) => {
        const id = createId()
        await intents.add(madeIntent({ id }), null)
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
