import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { writeEvent } from './domains/events/write-event.ts'
import type * as Statements from './platform/database/statement.ts'
import { createMaintenanceSwitch } from './platform/maintenance/switch-maintenance.ts'
import { MIGRATED_DATABASE } from './testing/migrated-database.ts'
import { declared } from './testing/declared-statements.ts'
import { planFaults } from './testing/plan-faults.ts'
import { createTestService } from './testing/test-service.ts'
import type { TestService } from './testing/test-service.ts'
import { allWrappedKeys } from './wrapped-keys.ts'

vi.mock('./platform/database/statement.ts', async (original) => {
  const { recordStatements } = await import('./testing/declared-statements.ts')
  return recordStatements(await original<typeof Statements>())
})

/** Tables that have a row for each charge, agreement or request. */
const BIG = new Set([
  'charges',
  'attempts',
  'events',
  'payment_source_tokens',
  'checkout_intents',
  'webhook_deliveries',
  'agreements',
  'agreement_changes',
  'agreement_payments',
  'network_instructions',
  'idempotent_requests',
  'charge_tallies',
  'charge_declines',
])

/** Statements that read all of a table, and why they may. */
const READS_ALL: Readonly<Record<string, string>> = {
  count_keys_of_agreements: 'an operator rotates or destroys a master key',
  count_keys_of_idempotent_requests: 'the same',
  count_keys_of_payment_source_tokens: 'the same',
  list_keys_of_agreements: 'the same, a page at a time by the primary key',
  list_keys_of_idempotent_requests: 'the same',
  list_keys_of_payment_source_tokens: 'the same',
  erase_keys_of_agreements: 'an operator erases what a lost key has sealed',
  erase_keys_of_idempotent_requests: 'the same',
  erase_keys_of_payment_source_tokens: 'the same',
}

/** A database that `npm run bench -- growth --only plans` has filled; without it one that has the tables and nothing in them. */
const filled = process.env['PLANS_OF']

let service: TestService
let client: pg.Client
beforeAll(async () => {
  service = await createTestService()
  allWrappedKeys(service.database)
  createMaintenanceSwitch(service.database, writeEvent)
  const empty = inject('connectionString').replace('/postgres?', `/${MIGRATED_DATABASE}?`)
  client = new pg.Client({ connectionString: filled ?? empty })
  await client.connect()
  // Nothing is too small to be read by an index, as it seems where there is nothing.
  if (filled === undefined) await client.query('SET enable_seqscan = off')
})
afterAll(async () => {
  await client.end()
  await service.close()
})

async function faultsOf(text: string): Promise<string[]> {
  const { rows } = await client.query<Record<string, unknown>>(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`)
  return planFaults(rows[0]?.['QUERY PLAN'], BIG)
}

describe('the plan that is kept for a statement', () => {
  it('reads no big table from end to end, and sorts no history', async () => {
    const faults: string[] = []
    for (const { name, text } of declared.values())
      if (!(name in READS_ALL)) for (const fault of await faultsOf(text)) faults.push(`${name} ${fault}`)
    expect(declared.size).toBeGreaterThan(60)
    expect(faults).toEqual([])
  })

  it('is known to read all of a table of those alone that exist', () => {
    expect(Object.keys(READS_ALL).filter((name) => !declared.has(name))).toEqual([])
  })

  it.each([['reads all', 'SELECT * FROM charges WHERE description = $1', 'reads all of charges']])(
    'that %s of a table is found',
    async (_what, text, fault) => {
      expect(await faultsOf(text)).toEqual([fault])
    },
  )
})
