import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { startEmbeddedPostgres } from '../../src/service/platform/database/embedded/embedded-postgres.ts'
import { paceOf } from './pace.ts'
import type { Pace } from './pace.ts'
import { createPgbench } from './pgbench.ts'
import type { Pgbench } from './pgbench.ts'
import { createServiceClient } from './service-client.ts'
import { startService } from './start-service.ts'
import type { Keys } from './start-service.ts'

const PORT = 48_280
const SECONDS = 4
const ROUNDS = 2
/** More pairs a second than `clients` can reach here. */
const mostPerSecond = (clients: number) => Math.min(2000, 800 * clients)
const Memory = v.object({ memory: v.number() })

/**
 * Authorise + capture pairs a second by HTTP, next to pgbench running the same statements, by turns on the same
 * embedded PostgreSQL (fsync on). Service, server and clients share the machine.
 */
export async function benchCharges(say: (line: string) => void): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  chmodSync(dataDir, 0o711)
  const server = await startEmbeddedPostgres(dataDir, say)
  const { child, keys } = await startService({
    port: PORT,
    dataDir,
    databaseUrl: server.connectionString,
  })
  const pgbench = createPgbench(server.connectionString)
  if (pgbench === null) say('pgbench is not installed (Debian: postgresql-contrib), so there is no yardstick')
  say('authorise + capture, pairs a second (p50 / p99 in ms of one pair)')
  say('clients   service                     pgbench                     ratio')
  for (const clients of [1, 8, 32, 64]) await compare(keys, pgbench, clients, say)
  child.send('memory')
  const { memory } = v.parse(Memory, (await once(child, 'message'))[0])
  say(`service process: ${String(Math.round(memory / 1e6))} MB resident`)
  child.disconnect()
  await once(child, 'exit')
  await server.stop()
  rmSync(dataDir, { recursive: true })
}

async function compare(
  keys: Keys,
  pgbench: Pgbench | null,
  clients: number,
  say: (line: string) => void,
): Promise<void> {
  const best: { service?: Pace; pgbench?: Pace | undefined } = {}
  for (let round = 0; round < ROUNDS; round += 1) {
    best.service = faster(best.service, await servicePace(keys, clients))
    if (pgbench !== null) best.pgbench = faster(best.pgbench, await pgbench.pace(clients, SECONDS))
  }
  const ratio = (best.service?.perSecond ?? NaN) / (best.pgbench?.perSecond ?? NaN)
  say(`${String(clients).padEnd(10)}${words(best.service)}${words(best.pgbench)}${ratio.toFixed(2)}`)
}

async function servicePace(keys: Keys, clients: number): Promise<Pace> {
  const client = await createServiceClient({ ...keys, port: PORT, clients: Math.max(clients, 16) })
  await client.prepare(mostPerSecond(clients) * (SECONDS + 1))
  await paceOf(clients, 1, client.authoriseAndCapture)
  const pace = await paceOf(clients, SECONDS, client.authoriseAndCapture)
  client.close()
  return pace
}

function faster(known: Pace | undefined, pace: Pace): Pace {
  return known !== undefined && known.perSecond > pace.perSecond ? known : pace
}

function words(pace: Pace | undefined): string {
  if (pace === undefined) return '-'.padEnd(28)
  return `${pace.perSecond.toFixed(0).padStart(5)} (${pace.p50.toFixed(1)} / ${pace.p99.toFixed(1)})`.padEnd(
    28,
  )
}
