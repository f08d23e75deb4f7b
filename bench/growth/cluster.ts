import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import { startEmbeddedPostgres } from '../../src/service/platform/database/embedded/embedded-postgres.ts'
import type { EmbeddedPostgres } from '../../src/service/platform/database/embedded/embedded-postgres.ts'
import { withClient } from '../with-client.ts'

type Settings = Readonly<Record<string, string>>

/** Nothing of a cluster that is being filled has to survive a crash. */
export const FILLING: Settings = {
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
