import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  locatePostgres,
  postgresAccount,
} from '../../src/service/platform/database/embedded/postgres-location.ts'
import { makeCluster, startServer } from '../../src/service/platform/database/embedded/postgres-server.ts'

/** A PostgreSQL server beside the service, as an operator has it; fsync is on. */
export interface OwnPostgres {
  connectionString: string
  /** Ends it the way `pg_ctl stop -m immediate` does, without a checkpoint, and starts it again. */
  restartAtOnce: () => Promise<void>
  stop: () => Promise<void>
}

/** Starts one in a folder, by the programs in `programs` (the folder above bin), or else by those of the embedded PostgreSQL. */
export async function startOwnPostgres(folder: string, programs?: string): Promise<OwnPostgres> {
  const account = postgresAccount()
  const known = locatePostgres(folder, account)
  const location = { ...known, programs: programs ?? known.programs }
  const socketDir = join(folder, 'socket')
  mkdirSync(socketDir, { mode: 0o700 })
  if (account.uid !== undefined && account.gid !== undefined) chownSync(socketDir, account.uid, account.gid)
  await makeCluster(location, account)
  const start = () => startServer(location, account, socketDir)
  let server = await start()
  return {
    connectionString: `postgres://svc@localhost:5432/postgres?host=${encodeURIComponent(socketDir)}`,
    async restartAtOnce() {
      await end(server, 'SIGQUIT')
      server = await start()
    },
    stop: () => end(server, 'SIGINT'),
  }
}

async function end(server: ChildProcess, signal: 'SIGQUIT' | 'SIGINT'): Promise<void> {
  const ended = once(server, 'exit')
  server.kill(signal)
  await ended
}
