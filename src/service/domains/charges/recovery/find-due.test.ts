import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeEvent } from '../../events/write-event.ts'
import { tokenClaim } from '../../payment-sources/token-claim.ts'
import type { Database } from '../../../platform/database/database.ts'
import { createMigratedDatabase } from '../../../testing/test-database.ts'
import { testStatement } from '../../../testing/test-statement.ts'
import { createChargesToAttend } from '../attention/charges-to-attend.ts'
import { createChargeStore } from '../charge-store.ts'
import type { ChargeStore } from '../charge-store.ts'
import { cents, madeCharge } from '../testing/made-charge.ts'

/** More than were looked at once, of the service or of the dashboard. */
const MANY = 5001

let database: Database
let store: ChargeStore
beforeAll(async () => {
  database = await createMigratedDatabase()
  store = createChargeStore(database, tokenClaim, writeEvent)
  await database.run(addCharges, ['greedy', 20, MANY])
  await database.run(addRefunds, ['greedy'])
  await database.run(makeDue, ['greedy', 90])
  await addUnknown('other', 10)
  await database.script('ANALYZE charges; ANALYZE attempts')
})
afterAll(() => database.close())

const addCharges = testStatement<{ id: string; gateway_id: string }>(
  't_add_charges',
  `INSERT INTO charges (id, merchant_id, gateway_id, token_hash, status, pre_auth, amount, currency, customer, payment_source)
   SELECT $1 || '-' || n, $1, $1 || '-' || n % $2::int, '', 'complete', true, 100, 'AUD', '{}', '{}'
   FROM generate_series(1, $3::int) n RETURNING id, gateway_id`,
)
/** As the store begins them, which would take seconds. */
const addRefunds = testStatement(
  't_add_refunds',
  `INSERT INTO attempts (id, charge_id, gateway_id, type, amount, outcome, ask_after)
   SELECT 'of-' || id, id, gateway_id, 'refund', 100, 'open', now() FROM charges WHERE merchant_id = $1`,
)
const makeDue = testStatement(
  't_make_due',
  `UPDATE attempts SET created_at = now() - interval '1 hour', ask_after = now() - $2::int * interval '1 second'
   WHERE charge_id LIKE $1 || '-%'`,
)

/** A refund without an outcome, of a charge at a merchant's one gateway account, which is due to be asked for. */
async function addUnknown(merchantId: string, dueForSeconds: number) {
  const [charge] = await database.run(addCharges, [merchantId, 1, 1])
  await store.beginFollowUp(
    madeCharge({
      id: charge?.id ?? '',
      merchantId,
      gatewayId: charge?.gateway_id ?? '',
      status: 'complete',
      version: 0,
    }),
    {
      id: randomBytes(12).toString('hex'),
      type: 'refund',
      reason: null,
      amount: cents('1.00'),
      userId: null,
      sourceIp: null,
      reference: null,
      idempotentRequest: null,
    },
  )
  await database.run(makeDue, [merchantId, dueForSeconds])
}

const endHolds = testStatement(
  't_end_holds',
  `UPDATE charges SET status = 'pending', open_attempt_id = NULL, updated_at = now() - interval '1 hour',
          hold_expires_at = now() - CASE WHEN merchant_id = 'greedy' THEN 90 ELSE 10 END * interval '1 second' + random() * interval '1 second'`,
)

const find = async (
  targets: ReadonlyMap<string, number>,
  due: 'findDueAttempts' | 'findEndedHolds' = 'findDueAttempts',
  max = 96,
) => {
  const found = await store[due]({ max, eachTarget: 16, targets })
  const countOf = (merchant: string) => found.filter(({ merchantId }) => merchantId === merchant).length
  return { greedy: countOf('greedy'), other: countOf('other') }
}
const accounts = (capacity: number) =>
  new Map(Array.from({ length: 20 }, (_, at) => [`greedy-${at}`, capacity]))

it('finds an attempt of one merchant beside however many of another', async () => {
  expect(await find(new Map())).toEqual({ greedy: 191, other: 1 })
})

it('finds it beside accounts that may be asked one thing at a time', async () => {
  expect(await find(accounts(1))).toEqual({ greedy: 20, other: 1 })
})

it('finds nothing at accounts without capacity', async () => {
  expect(await find(accounts(0))).toEqual({ greedy: 0, other: 1 })
})

it('finds of each account the longest due', async () => {
  await database.script(
    `UPDATE attempts SET ask_after = ask_after - interval '1 hour' WHERE charge_id = 'greedy-4999'`,
  )
  const found = await store.findDueAttempts({ max: 96, eachTarget: 16, targets: accounts(1) })
  const [row] = await database.run(
    testStatement<{ id: string }>('t_of', 'SELECT id FROM attempts WHERE charge_id = $1'),
    ['greedy-4999'],
  )
  expect(found.filter(({ targetId }) => targetId === 'greedy-19')).toEqual([
    { id: row?.id, merchantId: 'greedy', targetId: 'greedy-19' },
  ])
})

it('finds it where less may begin than the other merchant has accounts', async () => {
  expect(await find(new Map(), 'findDueAttempts', 4)).toEqual({ greedy: 7, other: 1 })
})

it('finds it where less may begin than there are merchants at slow accounts', async () => {
  const slow = ['slow-a', 'slow-b', 'slow-c', 'slow-d', 'slow-e']
  for (const merchant of slow) await addUnknown(merchant, 60)
  const targets = new Map([...accounts(0), ...slow.map((merchant) => [`${merchant}-0`, 1] as const)])
  expect(await find(targets, 'findDueAttempts', 2)).toEqual({ greedy: 0, other: 1 })
})

it('shows a merchant its unknown outcomes beside however many of another', async () => {
  expect(await createChargesToAttend(database)('other')).toMatchObject([
    { kind: 'follow_up_unknown', count: 1 },
  ])
})

it('finds an ended hold of one merchant beside however many of another at accounts that are busy or slow', async () => {
  await database.run(endHolds, [])
  while ((await store.noteEndedHolds()) > 0);
  expect(await find(accounts(4), 'findEndedHolds')).toEqual({ greedy: 80, other: 1 })
  expect(await find(accounts(1), 'findEndedHolds')).toEqual({ greedy: 20, other: 1 })
  expect(await find(accounts(0), 'findEndedHolds')).toEqual({ greedy: 0, other: 1 })
  expect(await find(accounts(1), 'findEndedHolds', 4)).toEqual({ greedy: 8, other: 1 })
})
