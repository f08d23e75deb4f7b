import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** PostgreSQL's own; it is only part of the socket's name. */
const PORT = 5432

/** How a process that does not own it reaches the running server of a data folder; null when it has no cluster. */
export function runningPostgres(dataDir: string): string | null {
  const cluster = knownCluster(dataDir)
  return cluster === null ? null : connectionStringOf(cluster)
}

/** Where the cluster of a data folder is, if there is one. */
export function knownCluster(dataDir: string): string | null {
  const pointer = pointerOf(dataDir)
  const place = existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : ''
  return place === '' ? null : clusterAt(dataDir, place)
}

/** The same path by whatever link the data folder is named: the socket of its server is found by this path. */
export function clusterAt(dataDir: string, place: string): string {
  return resolve(realpathSync(dataDir), place)
}

export function pointerOf(dataDir: string): string {
  return join(dataDir, 'postgres-location')
}

/** With its port, as PGPORT would else name another one to us, and not to the server. */
export function connectionStringOf(cluster: string): string {
  return `postgres://svc@localhost:${PORT}/postgres?host=${encodeURIComponent(socketDirOf(cluster))}`
}

/** A socket's path may have 107 bytes at most, so it stands in a short folder of its own. */
export function socketDirOf(cluster: string): string {
  return join(tmpdir(), `svc-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`)
}
