import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { createDatabase } from '../../src/service/platform/database/database.ts'
import { indexChangesOf } from '../../src/service/platform/database/index-steps.ts'
import { migrate } from '../../src/service/platform/database/migrate.ts'
import { migrations } from '../../src/service/platform/database/migrations.ts'
import { withClient } from '../with-client.ts'
import type { Bed } from './lists.ts'
import { openWatch } from './watch.ts'

type Say = (line: string) => void

const PORT = 22_060
const QUIET_MS = 10_000
/** Rows that are filled at once; and how long is rested after them, as a multiple of the time that they took. */
const PIECE = 1000
const REST = 3
/** For how long rows are filled. */
const FILL_MS = 30_000

/**
 * How long the service takes to start, and how long a charge has to wait while the last steps of the schema are made again, and while a
 * column is added and filled, with charges coming all the time.
 */
export async function measureUpgrade(bed: Bed, say: Say): Promise<void> {
  await timeStart(bed, say)
  const { connectionString, folder } = bed
  const { watch, stop } = await openWatch({ folder, connectionString }, say)
  await watch('nothing else', async () => {
    await sleep(QUIET_MS)
    return ''
  })
  await withClient(connectionString, async (client) => {
    const steps = await undoIndexSteps(client)
    await watch('indexes', () => makeAgain(connectionString, steps))
    await watch('a new column', () => addColumn(connectionString))
    await watch('filling it', () => fillColumn(client))
    await client.query(
      `ALTER TABLE charges DROP COLUMN bench_note; DELETE FROM schema_migrations WHERE version = '${STEP.version}'`,
    )
  })
  await stop()
}

/** Times the start of the built service on a schema that is up to date. */
async function timeStart({ connectionString, folder }: Bed, say: Say): Promise<void> {
  const began = performance.now()
  const service = spawn(process.execPath, ['dist/service/main.js'], {
    env: {
      ...process.env,
      SVC_DATABASE_URL: connectionString,
      SVC_DATA_DIR: folder,
      SVC_VAULT_KEYS: `bench:${Buffer.alloc(32, 'bench').toString('base64')}`,
      SVC_PORT: String(PORT),
      SVC_DASHBOARD_PORT: String(PORT + 1),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of service.stdout) if (String(line).includes('service is ready')) break
  say(`a service starts in ${((performance.now() - began) / 1000).toFixed(1)} s`)
  service.kill('SIGTERM')
  await once(service, 'exit')
}

/** Takes back the steps that make the indexes of background work. */
async function undoIndexSteps(client: pg.Client): Promise<string[]> {
  const steps = migrations.filter(({ version, sql }) => version >= '049' && indexChangesOf(sql) !== null)
  for (const { version, sql } of steps) {
    for (const { name } of indexChangesOf(sql) ?? [])
      await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`)
    await client.query('DELETE FROM schema_migrations WHERE version = $1', [version])
  }
  return steps.map(({ version }) => version)
}

async function makeAgain(connectionString: string, steps: readonly string[]): Promise<string> {
  const database = createDatabase({ connectionString, connections: 2, onIdleError: () => undefined })
  await migrate(database, migrations)
  await database.close()
  return ` (${steps.join(', ')})`
}

const STEP = { version: '999-bench-note', sql: 'ALTER TABLE charges ADD COLUMN bench_note text' }

async function addColumn(connectionString: string): Promise<string> {
  const database = createDatabase({ connectionString, connections: 2, onIdleError: () => undefined })
  await migrate(database, [...migrations, STEP])
  await database.close()
  return ''
}

/** Fills the rows in the order of the primary key, so that none is looked for twice. */
async function fillColumn(client: pg.Client): Promise<string> {
  let [after, rows] = ['', 0]
  for (const end = performance.now() + FILL_MS; performance.now() < end;) {
    const began = performance.now()
    const piece = await client.query<{ id: string }>(
      `UPDATE charges SET bench_note = 'x'
       WHERE id = ANY (ARRAY(SELECT id FROM charges WHERE id > $1 ORDER BY id LIMIT ${String(PIECE)})) RETURNING id`,
      [after],
    )
    after = piece.rows.reduce((last, { id }) => (id > last ? id : last), after)
    rows += piece.rows.length
    await sleep(REST * (performance.now() - began))
  }
  return ` for ${String(rows)} rows`
}
