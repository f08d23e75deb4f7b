import type pg from 'pg'
import type { Service } from '../../../src/service/compose.ts'
import { readConfig } from '../../../src/service/config.ts'
import { countEvents } from '../../../src/service/domains/charges/tallies.ts'
import { dashboardSender, makeChargeTemplates, makeMerchant, makeOtherTemplates } from './merchant.ts'
import { seedCharges } from './seed-charges.ts'
import type { ChargeTemplates, Seed } from './seed-charges.ts'
import { seedOthers } from './seed-others.ts'
import type { OtherShares, OtherTemplates } from './seed-others.ts'

/** What the database was filled with. */
export interface Filled {
  /** The merchant with half of all charges. */
  merchantId: string
  /** Its owner. */
  userId: string
  /** A merchant that has nothing. */
  emptyMerchantId: string
  chargeTemplates: ChargeTemplates
  templates: OtherTemplates
}

interface Bed {
  client: pg.Client
  service: Service
  /** Requests to the dashboard are made by a person who is signed in at this merchant. */
  session: { merchantId: string }
}

const TABLES = [
  'charges',
  'attempts',
  'events',
  'payment_source_tokens',
  'webhook_deliveries',
  'checkout_intents',
  'agreements',
  'agreement_payments',
]
const USER = '6b0179918a1c5e0b3d2f4a60'
/** Events that are counted in one statement. */
const COUNTED_AT_ONCE = 400_000

/** Fills the tables with copies of what the service itself has made, and counts the events for the overview. */
export async function fill(bed: Bed, charges: number, say: (line: string) => void): Promise<Filled> {
  const filled = await prepareTemplates(bed)
  await addCharges(bed.client, filled, { before: 0, charges, deliveryDays: 364, agreements: 1 }, say)
  return filled
}

/** Has the service make, in empty tables, the rows that `addCharges` copies. */
export async function prepareTemplates({ client, service, session }: Bed): Promise<Filled> {
  const merchant = await makeMerchant(service)
  const empty = await makeMerchant(service)
  session.merchantId = merchant.id
  const chargeTemplates = await makeChargeTemplates(merchant.send)
  const ask = dashboardSender(service, readConfig({}).dashboardUrl)
  const templates = await makeOtherTemplates(merchant, ask, service)
  await service.jobs.find(({ name }) => name === 'seal events')?.work()
  await addOwner(client, merchant.id)
  for (const table of TABLES) await client.query(`CREATE TABLE bench_${table} AS TABLE ${table}`)
  return { merchantId: merchant.id, userId: USER, emptyMerchantId: empty.id, chargeTemplates, templates }
}

async function addOwner(client: pg.Client, merchantId: string): Promise<void> {
  await client.query(
    `INSERT INTO users (id, email, name, time_zone) VALUES ($1, 'ada@shop.example', 'Ada', 'Australia/Sydney')`,
    [USER],
  )
  await client.query(`INSERT INTO memberships (merchant_id, user_id, role) VALUES ($1, $2, 'owner')`, [
    merchantId,
    USER,
  ])
}

/** Adds charges, and everything that belongs to them, to a database that `prepareTemplates` has prepared. */
export async function addCharges(
  client: pg.Client,
  { chargeTemplates, templates }: Filled,
  { agreements, ...seed }: Seed & OtherShares,
  say: (line: string) => void,
): Promise<void> {
  const began = performance.now()
  const since = (from: number) => ((performance.now() - from) / 1000).toFixed(0)
  await withoutIndexes(client, TABLES, async () => {
    await seedCharges(client, seed, chargeTemplates)
    await seedOthers(client, templates, { agreements })
    say(`rows of ${String(seed.charges)} charges, half of them of one merchant, copied in ${since(began)} s`)
  })
  await client.query('VACUUM ANALYZE')
  await client.query('CHECKPOINT')
  const filled = performance.now()
  say(`with their indexes in ${since(began)} s`)
  await countAllEvents(client)
  say(`events counted for the overview in ${since(filled)} s`)
}

/** Counts by the service's own statement, but more events at once than a running service does. */
async function countAllEvents(client: pg.Client): Promise<void> {
  const progress = 'SELECT seq, (SELECT length FROM event_chain) AS length FROM charge_tally_progress'
  for (;;) {
    const [row] = (await client.query<{ seq: string; length: string }>(progress)).rows
    const [from_seq, length] = [Number(row?.seq), Number(row?.length)]
    if (!(from_seq < length)) break
    const to_seq = Math.min(from_seq + COUNTED_AT_ONCE, length)
    await client.query(countEvents.text, countEvents.toParameters({ from_seq, to_seq }))
  }
  await client.query('VACUUM ANALYZE charge_tallies, charge_declines')
}

interface Definition {
  table: string
  name: string
  definition: string
}

/**
 * Does `work` while these tables have no indexes, keys and references, and then makes them again exactly as they were: many rows are
 * added several times as fast this way. If it is interrupted, the database is left without them.
 */
async function withoutIndexes(
  client: pg.Client,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const constraints = await client.query<Definition>(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE conrelid = ANY ($1::regclass[]) AND contype IN ('p', 'u', 'f')
     ORDER BY contype = 'f', 1, 2`,
    [tables],
  )
  const indexes = await client.query<Definition>(
    `SELECT indrelid::regclass::text AS table, indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
     FROM pg_index i WHERE indrelid = ANY ($1::regclass[])
       AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid AND conrelid = i.indrelid)
     ORDER BY 1, 2`,
    [tables],
  )
  // References are dropped first, and made again last, as they need the keys that they refer to.
  for (const { table, name } of constraints.rows.toReversed())
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`)
  for (const { name } of indexes.rows) await client.query(`DROP INDEX ${name}`)
  await work()
  await client.query("SET maintenance_work_mem = '1GB'")
  for (const { definition } of indexes.rows) await client.query(definition)
  for (const { table, name, definition } of constraints.rows)
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`)
  await client.query('RESET maintenance_work_mem')
}
