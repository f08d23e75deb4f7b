import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import type pg from 'pg'
import { startEmbeddedPostgres } from '../../src/service/platform/database/embedded/embedded-postgres.ts'
import type { EmbeddedPostgres } from '../../src/service/platform/database/embedded/embedded-postgres.ts'
import { addCharges, prepareTemplates } from '../dashboard/filling/fill.ts'
import type { Filled } from '../dashboard/filling/fill.ts'
import { openReading } from '../dashboard/reading.ts'
import { withClient } from '../with-client.ts'

type Settings = Readonly<Record<string, string>>

/** Nothing of a cluster that is being filled has to survive a crash. */
const FILLING: Settings = {
  fsync: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
  checkpoint_timeout: '1h',
  shared_buffers: '1GB',
  max_parallel_maintenance_workers: '2',
}

/** Settings that are usual for so many rows; all others are PostgreSQL's defaults. */
export const MEASURING: Settings = { shared_buffers: '2GB', max_wal_size: '8GB' }

/** Starts the cluster of a folder, which is made if it is not there, with these settings and no others. */
export async function startCluster(
  folder: string,
  settings: Settings,
  say: (line: string) => void,
): Promise<EmbeddedPostgres> {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o711)
  const server = await startEmbeddedPostgres(folder, say)
  await withClient(server.connectionString, async (client) => {
    await client.query('ALTER SYSTEM RESET ALL')
    for (const [name, value] of Object.entries(settings))
      await client.query(`ALTER SYSTEM SET ${name} = '${value}'`)
  })
  await server.stop()
  // What was written without fsync is on the disk before anything is measured.
  execFileSync('sync')
  return startEmbeddedPostgres(folder, say)
}

type Say = (line: string) => void

/** How far a cluster is filled. It is written in the cluster itself, so that the cluster can be measured again later. */
export interface State {
  charges: number
  filled: Filled
}

/** Deliveries are kept for 30 days; one in so many charges has an agreement. */
const SHAPE = { deliveryDays: 31, agreements: 10 }

/** Fills the cluster of a folder up to so many charges, unless it has them. Throws where a fill was broken off. */
export async function fillTo(folder: string, charges: number, say: Say): Promise<State> {
  const server = await startCluster(folder, FILLING, say)
  const reading = await openReading(server.connectionString)
  const { client } = reading
  try {
    const state = (await readState(client)) ?? {
      charges: 0,
      filled: await prepareTemplates(reading),
    }
    if (state.charges >= charges) return state
    await writeState(client, { ...state, charges: NaN })
    const added = charges - state.charges
    await addCharges(client, state.filled, { before: state.charges, charges: added, ...SHAPE }, say)
    await writeState(client, { ...state, charges })
    await client.query('CHECKPOINT')
    return { ...state, charges }
  } finally {
    await reading.close()
    await server.stop()
  }
}

/** Null where nothing was filled yet. */
async function readState(client: pg.Client): Promise<State | null> {
  const { rows: tables } = await client.query("SELECT FROM pg_class WHERE relname = 'bench_state'")
  if (tables.length === 0) return null
  const { rows } = await client.query<State>('SELECT charges::float8 AS charges, filled FROM bench_state')
  const [state] = rows
  if (state === undefined || Number.isNaN(state.charges))
    throw new Error('filling was broken off: delete the folder')
  return state
}

async function writeState(client: pg.Client, { charges, filled }: State): Promise<void> {
  await client.query(
    'DROP TABLE IF EXISTS bench_state; CREATE TABLE bench_state (charges float8, filled json)',
  )
  await client.query('INSERT INTO bench_state (charges, filled) VALUES ($1, $2)', [
    charges,
    JSON.stringify(filled),
  ])
}
