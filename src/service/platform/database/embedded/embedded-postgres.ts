import type { ChildProcess } from 'node:child_process'
import { chownSync, mkdirSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { asOthersMayRead } from '../../make-folder.ts'
import { lockFolder } from './folder-lock.ts'
import { locatePostgres, postgresAccount } from './postgres-location.ts'
import type { Account } from './postgres-location.ts'
import { makeCluster, startServer } from './postgres-server.ts'
import { connectionStringOf, socketDirOf } from './running-postgres.ts'
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

function makeSocketDir(socketDir: string, { uid, gid }: Account): void {
  rmSync(socketDir, { recursive: true, force: true })
  mkdirSync(socketDir, { mode: 0o700 })
  if (uid !== undefined && gid !== undefined) chownSync(socketDir, uid, gid)
}
