import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { dataDirOf, startService } from '../proofs/machines/service-process.ts'
import { startEmbeddedPostgres } from '../src/service/platform/database/embedded/embedded-postgres.ts'
import { quantile } from './agreements/api-load.ts'
import { postgresMs, postmasterOf, processorMs } from './charges/processor-time.ts'

const STARTS = 7
const SETTLED_MS = 5000
const IDLE_MS = 20_000

/** How long the built service takes to start on a database that it knows, and what it costs while nobody asks for anything. */
export async function benchStart(say: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  chmodSync(folder, 0o711)
  const server = await startEmbeddedPostgres(folder, say)
  mkdirSync(dataDirOf(folder))
  try {
    // The first start makes the schema, and is not counted.
    const first = await startService({ folder, databaseUrl: server.connectionString })
    await first.stop()
    const took: number[] = []
    const processor: number[] = []
    for (let start = 0; start < STARTS; start += 1) {
      const began = performance.now()
      const service = await startService({ folder, databaseUrl: server.connectionString })
      took.push(performance.now() - began)
      processor.push(processorMs(service.pid))
      await service.stop()
    }
    say(
      `start: ${quantile(took, 0.5).toFixed(0)} ms, of a processor ${quantile(processor, 0.5).toFixed(0)} ms`,
    )
    await idle(folder, server.connectionString, postmasterOf(server.cluster), say)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true })
  }
}

async function idle(
  folder: string,
  databaseUrl: string,
  postmaster: number,
  say: (line: string) => void,
): Promise<void> {
  const service = await startService({ folder, databaseUrl })
  await sleep(SETTLED_MS)
  const before = { service: processorMs(service.pid), database: postgresMs(postmaster) }
  await sleep(IDLE_MS)
  const share = (from: number, to: number) => `${(((to - from) / IDLE_MS) * 100).toFixed(1)} %`
  const words = share(before.service, processorMs(service.pid))
  say(`idle: ${words} of a processor, its database ${share(before.database, postgresMs(postmaster))}`)
  await service.stop()
}
