import type pg from 'pg'
import { readConfig } from '../../src/service/config.ts'
import type { Service } from '../../src/service/compose.ts'
import { dashboardSender, makeChargeTemplates, makeMerchant, makeOtherTemplates } from './merchant.ts'
import { seedCharges } from './seed-charges.ts'
import { seedOthers } from './seed-others.ts'
import type { OtherTemplates } from './seed-others.ts'

/** What the database was filled with. */
export interface Filled {
  /** The merchant with half of all charges. */
  merchantId: string
  /** Its owner. */
  userId: string
  /** A merchant that has nothing. */
  emptyMerchantId: string
  templates: OtherTemplates
}

interface Bed {
  client: pg.Client
  service: Service
  /** Whoever asks the dashboard is signed in at this merchant. */
  session: { merchantId: string }
}

const TABLES = [
  'charges',
  'attempts',
  'events',
  'webhook_deliveries',
  'checkout_intents',
  'agreements',
  'agreement_payments',
]
const USER = '6b0179918a1c5e0b3d2f4a60'

/** Fills the tables with copies of what the service itself has made, and counts the events for the overview. */
export async function fill(
  { client, service, session }: Bed,
  charges: number,
  say: (line: string) => void,
): Promise<Filled> {
  const began = performance.now()
  const merchant = await makeMerchant(service)
  const empty = await makeMerchant(service)
  session.merchantId = merchant.id
  const chargeTemplates = await makeChargeTemplates(merchant.send)
  const ask = dashboardSender(service, readConfig({}).dashboardUrl)
  const templates = await makeOtherTemplates(merchant, ask, service)
  await service.jobs.find(({ name }) => name === 'seal events')?.work()
  await addOwner(client, merchant.id)
  await withoutIndexes(client, TABLES, async () => {
    await seedCharges(client, charges, chargeTemplates)
    await seedOthers(client, templates)
  })
  await client.query('VACUUM ANALYZE')
  await client.query('CHECKPOINT')
  const filled = performance.now()
  await countEvents(client, service)
  const [filling, counting] = [filled - began, performance.now() - filled].map((ms) => (ms / 1000).toFixed(0))
  say(
    `${String(charges)} charges, half of them of one merchant, filled in ${String(filling)} s; their events counted in ${String(counting)} s`,
  )
  return { merchantId: merchant.id, userId: USER, emptyMerchantId: empty.id, templates }
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

async function countEvents(client: pg.Client, service: Service): Promise<void> {
  const count = service.jobs.find(({ name }) => name === 'count charges')
  const left = 'SELECT (SELECT length FROM event_chain) - seq AS left FROM charge_tally_progress'
  while (Number((await client.query<{ left: string }>(left)).rows[0]?.left) > 0) await count?.work()
  await client.query('VACUUM ANALYZE charge_tallies, charge_declines')
}

/** Does `work` while these tables have no indexes but those of their keys, and then makes them again: many rows are so added faster. */
async function withoutIndexes(
  client: pg.Client,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE schemaname = 'public' AND tablename = ANY ($1) AND indexname NOT IN (SELECT conname FROM pg_constraint)`,
    [tables],
  )
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`)
  await work()
  await client.query("SET maintenance_work_mem = '256MB'")
  for (const { definition } of rows) await client.query(definition)
}
