import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { postgresAccount } from '../../src/service/platform/database/embedded/postgres-account.ts'
import { startProgram } from './replication/programs.ts'

export const PGBOUNCER = '/usr/sbin/pgbouncer'
export type Pooling = 'session' | 'transaction'
const START_MS = 500

/** A server that a pooler stands before, and a folder for the pooler's. */
interface Pooled {
  folder: string
  connectionString: string
}

/** Starts a PgBouncer for one role. */
export async function startPooler(
  { folder: parent, connectionString }: Pooled,
  { role, pooling, port }: { role: string; pooling: Pooling; port: number },
): Promise<() => Promise<void>> {
  const folder = join(parent, `pooler-${role}`)
  mkdirSync(folder, { mode: 0o700 })
  const [, socket = ''] = /host=([^&]+)/.exec(connectionString) ?? []
  const file = join(folder, 'pgbouncer.ini')
  const settings = [
    '[databases]',
    `* = host=${decodeURIComponent(socket)} port=5432 user=${role}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${pooling}`,
    'default_pool_size = 40',
  ]
  writeFileSync(file, `${settings.join('\n')}\n`)
  const { uid, gid } = postgresAccount()
  if (uid !== undefined && gid !== undefined) for (const path of [folder, file]) chownSync(path, uid, gid)
  const program = startProgram('pgbouncer', [file], { folder })
  await sleep(START_MS)
  return () => program.end('SIGKILL')
}
