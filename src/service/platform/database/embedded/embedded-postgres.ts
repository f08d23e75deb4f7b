import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chownSync, mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { asOthersMayRead } from '../../make-folder.ts'
import { lockFolder } from '../locks/folder-lock.ts'
import { postgresAccount } from './postgres-account.ts'
import type { Account } from './postgres-account.ts'
import { makeCluster } from './postgres-cluster.ts'
import { knownCluster, locatePostgres } from './postgres-location.ts'
import { startServer } from './postgres-server.ts'
import { endOf } from '../program.ts'

/** A PostgreSQL server of our own, reached by a socket in a folder that only its account may enter. */
export interface EmbeddedPostgres {
  connectionString: string
  /** Where its data is kept. */
  cluster: string
  /** Ends its sessions, writes a checkpoint and stops it. */
  stop: () => Promise<void>
}

const STOP_TIMEOUT_MS = 30_000
const PAUSE_MS = 1000

/** PostgreSQL's own; it is only part of the socket's name. */
const PORT = 5432

/**
 * Starts the cluster of a data folder, made first if there is none, and starts it again should it end by itself.
 * Whoever calls this holds the folder's lock. `onTrouble` hears, in words, of what happens later.
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  onTrouble: (words: string) => void,
): Promise<EmbeddedPostgres> {
  const account = postgresAccount()
  const location = locatePostgres(dataDir, account)
  const { cluster } = location
  const socketDir = socketDirOf(cluster)
  const start = () => {
    makeSocketDir(socketDir, account)
    return startServer(location, account, socketDir)
  }
  await makeCluster(location, account)
  // Readable to PostgreSQL's account, as its backups read every file of a cluster.
  const unlock = asOthersMayRead(() => lockFolder(cluster, 0o644))
  try {
    const stop = keepRunning(await start(), start, onTrouble)
    return {
      connectionString: connectionStringOf(cluster),
      cluster,
      stop: async () => {
        await stop()
        rmSync(socketDir, { recursive: true, force: true })
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/** How a process that does not own it reaches the running server of a data folder; null when it has no cluster. */
export function runningPostgres(dataDir: string): string | null {
  const cluster = knownCluster(dataDir)
  return cluster === null ? null : connectionStringOf(cluster)
}

/** Starts a server again each time that it ends, until the returned function stops it. */
function keepRunning(
  first: ChildProcess,
  start: () => Promise<ChildProcess>,
  onTrouble: (words: string) => void,
): () => Promise<void> {
  let server = first
  let isStopping = false
  const again = async (): Promise<void> => {
    while (!isStopping) {
      onTrouble('the embedded PostgreSQL has ended by itself and is started again')
      try {
        server = await start()
        server.once('exit', () => void again())
        return
      } catch (error) {
        onTrouble(String(error))
        await sleep(PAUSE_MS)
      }
    }
  }
  server.once('exit', () => void again())
  return async () => {
    isStopping = true
    if (server.exitCode === null && server.kill('SIGINT')) await endOf(server, STOP_TIMEOUT_MS)
  }
}

/** With its port, as PGPORT would else name another one to us, and not to the server. */
function connectionStringOf(cluster: string): string {
  return `postgres://svc@localhost:${PORT}/postgres?host=${encodeURIComponent(socketDirOf(cluster))}`
}

/** A socket's path may have 107 bytes at most, so it stands in a short folder of its own. */
function socketDirOf(cluster: string): string {
  return join(tmpdir(), `svc-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`)
}

function makeSocketDir(socketDir: string, { uid, gid }: Account): void {
  rmSync(socketDir, { recursive: true, force: true })
  mkdirSync(socketDir, { mode: 0o700 })
  if (uid !== undefined && gid !== undefined) chownSync(socketDir, uid, gid)
}
