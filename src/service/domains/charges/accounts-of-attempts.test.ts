import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../platform/database/database.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { migrations } from '../../platform/database/migrations.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { findChargesToAttend } from './needs-attention.ts'
import { findDueAttempts } from './unfinished-store.ts'

/** As a build before step 060 leaves it: a sale whose outcome is due to be asked for. */
const addOpen = testStatement(
  't_add_open',
  `WITH charge AS (
     INSERT INTO charges (id, merchant_id, gateway_id, token_hash, status, pre_auth, amount, currency, customer, payment_source)
     VALUES ($1, $3, $2, '', 'processing', true, 100, 'AUD', '{}', '{}')
   )
   INSERT INTO attempts (id, charge_id, type, amount, outcome, ask_after)
   VALUES ('of-' || $1, $1, 'sale', 100, 'open', now() - interval '1 minute')`,
)

let database: Database
beforeAll(async () => {
  database = await createTestDatabase()
  const step = migrations.findIndex(({ version }) => version.startsWith('060'))
  await migrate(database, migrations.slice(0, step))
  for (const id of ['before-1', 'before-2']) await database.run(addOpen, [id, 'hung', 'm'])
  await migrate(database, migrations)
  await database.run(addOpen, ['of-another', 'theirs', 'another'])
  await database.run(addOpen, ['beside', 'other', 'm'])
  await database.script("UPDATE attempts SET created_at = now() - interval '1 minute'")
})
afterAll(() => database.close())

it('what was open before step 060, or was written by such a build after it, is found at its account', async () => {
  const find = async (targets: ReadonlyMap<string, number>) =>
    (await findDueAttempts(database, { max: 96, eachTarget: 16, targets }))
      .map(({ id, targetId }) => `${id} ${targetId}`)
      .toSorted()
  const beside = ['of-beside other', 'of-of-another theirs']
  expect(await find(new Map())).toEqual(['of-before-1 hung', 'of-before-2 hung', ...beside])
  expect(await find(new Map([['hung', 1]]))).toHaveLength(3)
  expect(await find(new Map([['hung', 0]]))).toEqual(beside)
})

it('and is shown to the merchant whose it is', async () => {
  const countOf = async (merchant: string) =>
    (await findChargesToAttend(database, merchant)).map(({ count }) => count)
  expect([await countOf('m'), await countOf('another')]).toEqual([[3], [1]])
})
