import type pg from 'pg'
import { addCharges, prepareTemplates } from '../dashboard/filling/fill.ts'
import type { Filled } from '../dashboard/filling/fill.ts'
import { openReading } from '../dashboard/reading.ts'
import { FILLING, startCluster } from './cluster.ts'

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
