import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import type * as Statements from './platform/database/statement.ts'
import { MIGRATED_DATABASE } from './testing/migrated-database.ts'
import { declared } from './testing/declared-statements.ts'
import { planFaults } from './testing/plan-faults.ts'
import { createTestService } from './testing/test-service.ts'
import type { TestService } from './testing/test-service.ts'
import { allWrappedKeys } from './key-tables.ts'

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

/** Statements that sort what they find, and why that is never much. */
const SORTS: Readonly<Record<string, string>> = {
  find_charges_in_amounts: 'a range that was counted before, and has few',
  find_charges_in_beginning: 'the same',
  find_unsettled_checkout_intents: 'checkouts that are active, by their index',
  find_agreements_that_are_over: 'agreements whose time is over, by their index',
  find_unamended_agreements: 'agreements with an amendment, by their index',
  list_checkout_intents_status_reference:
    'checkouts that are over and not marked so yet, by the index of active ones',
  find_undone_of_merchant: 'what gateways undid of a merchant, at most 5,000 of them',
  find_told_charge: 'the attempts of one charge',
  find_charges_by_transaction: 'the charge of one transaction',
  find_charges: 'the charges of one page, by their ids',
  take_due_deliveries: 'the messages that were chosen',
  sum_charge_tallies_of_periods: 'sums of six hours and shorter times, to put periods together',
  sum_charge_tallies_of_schemes: 'the same',
  sum_charge_declines: 'the same',
  count_charge_events: 'events of a batch',
}

/** Statements that look for a reference among rows found by something else, and why these are never many. */
const LOOKS_AMONG: Readonly<Record<string, string>> = {
  list_agreement_payments: 'the payments of one agreement',
  list_checkout_intents_status_reference:
    'checkouts that are over and not marked so yet, by the index of active ones',
  find_charges_by_exactreference: 'charges whose references differ in upper and lower case alone',
  find_charges_by_exactreferenceandstatus: 'the same',
}

/** A database that `npm run bench -- growth --only plans` has filled; without it one that has the tables and nothing in them. */
const filled = process.env['PLANS_OF']

let service: TestService
let client: pg.Client
let big: ReadonlySet<string> = BIG
beforeAll(async () => {
  service = await createTestService()
  allWrappedKeys(service.database)
  const empty = inject('connectionString').replace('/postgres?', `/${MIGRATED_DATABASE}?`)
  client = new pg.Client({ connectionString: filled ?? empty })
  await client.connect()
  // Nothing is too small to be read by an index, as it seems where there is nothing.
  if (filled === undefined) await client.query('SET enable_seqscan = off; SET enable_sort = off')
  else big = await tablesWithMany()
})
afterAll(async () => {
  await client.end()
  await service.close()
})

/** Of the big tables those that are big here. */
async function tablesWithMany(): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT relname AS name FROM pg_class WHERE relname = ANY ($1) AND reltuples > 50000',
    [[...BIG]],
  )
  return new Set(rows.map(({ name }) => name))
}

async function faultsOf(text: string): Promise<string[]> {
  const { rows } = await client.query<Record<string, unknown>>(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`)
  return planFaults(rows[0]?.['QUERY PLAN'], big)
}

const isKnown = (name: string, fault: string) =>
  name in READS_ALL ||
  (fault.startsWith('sorts') && name in SORTS) ||
  (fault.endsWith('for a reference') && name in LOOKS_AMONG)

describe('the plan that is kept for a statement', () => {
  it('reads no big table from end to end, and sorts no history', async () => {
    const faults: string[] = []
    for (const { name, text } of declared.values())
      for (const fault of await faultsOf(text)) if (!isKnown(name, fault)) faults.push(`${name} ${fault}`)
    expect(declared.size).toBeGreaterThan(60)
    expect(faults).toEqual([])
  })

  it('is excused for statements alone that exist', () => {
    const excused = Object.keys({ ...READS_ALL, ...SORTS, ...LOOKS_AMONG })
    expect(excused.filter((name) => !declared.has(name))).toEqual([])
  })

  it.each([
    ['reads all', 'SELECT * FROM charges WHERE description = $1', 'reads all of charges'],
    [
      'looks for a reference among all',
      'SELECT * FROM agreements WHERE merchant_id = $1 AND status = $2 AND reference = $3 ORDER BY created_at DESC, id DESC',
      'goes through agreements_by_status for a reference',
    ],
  ])('that %s of a table is found', async (_what, text, fault) => {
    expect(await faultsOf(text)).toEqual([fault])
  })
})
