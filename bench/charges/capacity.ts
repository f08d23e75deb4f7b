import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../src/service/platform/database/embedded/embedded-postgres.ts'
import { postgresMs, postmasterOf, processorMs } from './processor-time.ts'
import { createServiceClient } from './service-client.ts'
import { startService } from './start-service.ts'

const PORT = 48_290
const CLIENTS = 8
const PAIRS = 5000
/** Pairs before the measured ones, so that code is compiled, statements are prepared and the tables have some pages. */
const WARM_PAIRS = 1000
/** A wait before each reading: events are sealed within a second. */
const SETTLED_MS = 3000
interface Look {
  serviceMs: number
  postgresMs: number
  walBytes: number
  tables: ReadonlyMap<string, { bytes: number; rows: number }>
}

/**
 * What a charge that is authorised and captured costs, with its token: processor time of service and PostgreSQL, write-ahead log, and
 * rows and bytes of each table with its indexes.
 */
export async function benchCapacity(say: (line: string) => void): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  chmodSync(dataDir, 0o711)
  const server = await startEmbeddedPostgres(dataDir, say)
  const { connectionString } = server
  const { child, keys } = await startService({ port: PORT, dataDir, databaseUrl: connectionString })
  const postmaster = postmasterOf(server.cluster)
  const client = await createServiceClient({ ...keys, ports: [PORT], clients: CLIENTS })
  const database = new pg.Client({ connectionString })
  await database.connect()
  const look = async () => {
    await sleep(SETTLED_MS)
    return lookAt(database, child.pid ?? 0, postmaster)
  }
  const pay = async (pairs: number) => {
    await client.prepare(pairs)
    const line = async () => {
      for (let number = 0; number < pairs / CLIENTS; number += 1) await client.authoriseAndCapture()
    }
    await Promise.all(Array.from({ length: CLIENTS }, line))
  }
  await pay(WARM_PAIRS)
  // A checkpoint before the measurement, so that each page is written whole to the log once, as in the long run.
  await database.query('CHECKPOINT')
  const before = await look()
  await pay(PAIRS)
  tell(before, await look(), say)
  await database.end()
  client.close()
  child.disconnect()
  await once(child, 'exit')
  await server.stop()
  rmSync(dataDir, { recursive: true })
}

async function lookAt(database: pg.Client, service: number, postmaster: number): Promise<Look> {
  const { rows: logs } = await database.query<{ bytes: string }>(
    "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS bytes",
  )
  const { rows } = await database.query<{ name: string; bytes: string; rows: string }>(
    `SELECT schemaname || '.' || relname AS name, pg_total_relation_size(relid) AS bytes, n_tup_ins - n_tup_del AS rows
     FROM pg_stat_user_tables`,
  )
  return {
    serviceMs: processorMs(service),
    postgresMs: postgresMs(postmaster),
    walBytes: Number(logs[0]?.bytes),
    tables: new Map(rows.map((row) => [row.name, { bytes: Number(row.bytes), rows: Number(row.rows) }])),
  }
}

function tell(before: Look, after: Look, say: (line: string) => void): void {
  const each = (first: number, last: number, digits = 2) => ((last - first) / PAIRS).toFixed(digits)
  say(`of one charge, authorised and captured, with its token (${PAIRS} of them, ${CLIENTS} clients)`)
  say(`service: ${each(before.serviceMs, after.serviceMs)} ms of a processor`)
  say(`PostgreSQL: ${each(before.postgresMs, after.postgresMs)} ms of a processor`)
  say(`write-ahead log: ${each(before.walBytes, after.walBytes, 0)} bytes`)
  let all = 0
  for (const [name, { bytes, rows }] of after.tables) {
    const first = before.tables.get(name)
    const grown = bytes - (first?.bytes ?? 0)
    all += grown
    if (grown > 0)
      say(
        `${name.padEnd(36)}${each(first?.rows ?? 0, rows).padStart(6)} rows ${each(0, grown, 0).padStart(6)} bytes`,
      )
  }
  say(`all tables with their indexes: ${each(0, all, 0)} bytes`)
}
