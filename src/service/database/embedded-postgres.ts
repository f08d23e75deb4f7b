import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { postgresAccount } from './postgres-account.ts'
import type { Account } from './postgres-account.ts'
import { knownCluster, locatePostgres } from './postgres-location.ts'
import type { PostgresLocation } from './postgres-location.ts'

/** A PostgreSQL server of our own, reached by a socket in a folder that only its account may enter. */
export interface EmbeddedPostgres {
  connectionString: string
  /** Where its data is kept. */
  cluster: string
  /** Ends its sessions, writes a checkpoint and stops it. */
  stop: () => Promise<void>
}

const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 30_000

/** Starts the cluster of a data folder, made first if there is none. Whoever calls this holds the folder's lock. */
export async function startEmbeddedPostgres(dataDir: string): Promise<EmbeddedPostgres> {
  const account = postgresAccount()
  const location = locatePostgres(dataDir, account)
  if (!existsSync(join(location.cluster, 'PG_VERSION'))) await initialise(location, account)
  await endForsakenServer(location.cluster)
  const socketDir = makeSocketDir(location.cluster, account)
  const server = await start(location, account, socketDir)
  return {
    connectionString: connectionStringOf(location.cluster),
    cluster: location.cluster,
    stop: async () => {
      if (server.exitCode === null && server.kill('SIGINT')) await exitOf(server, STOP_TIMEOUT_MS)
      rmSync(socketDir, { recursive: true, force: true })
    },
  }
}

/** How a process that does not own it reaches the running server of a data folder; null when it has no cluster. */
export function runningPostgres(dataDir: string): string | null {
  const cluster = knownCluster(dataDir)
  return cluster === null ? null : connectionStringOf(cluster)
}

function connectionStringOf(cluster: string): string {
  return `postgres://svc@localhost/postgres?host=${encodeURIComponent(socketDirOf(cluster))}`
}

async function initialise({ programs, cluster }: PostgresLocation, account: Account): Promise<void> {
  // A start that was killed half-way leaves files behind that initdb would refuse.
  rmSync(cluster, { recursive: true, force: true })
  mkdirSync(cluster, { recursive: true, mode: 0o700 })
  if (account.uid !== undefined && account.gid !== undefined) chownSync(cluster, account.uid, account.gid)
  const initdb = spawn(
    join(programs, 'bin', 'initdb'),
    ['-D', cluster, '-U', 'svc', '--auth=trust', '--no-locale', '--encoding=UTF8', '--no-instructions'],
    { ...account, cwd: cluster, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const complaint = textOf(initdb)
  if ((await exitOf(initdb, START_TIMEOUT_MS)) !== 0)
    throw new Error(`initdb failed in ${cluster}: ${complaint()}`)
}

/** A killed service may leave its server running for a moment: two must never share a cluster. */
async function endForsakenServer(cluster: string): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid')
  for (let waited = 0; existsSync(pidFile) && waited < STOP_TIMEOUT_MS; waited += 50) {
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
    if (!isServer(pid)) return
    if (waited === 0) process.kill(pid, 'SIGINT')
    await sleep(50)
  }
}

function isServer(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return (
      !existsSync('/proc/self') || readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8').includes('postgres')
    )
  } catch {
    return false
  }
}

/** A socket's path may have 107 bytes at most, so it stands in a short folder of its own. */
function socketDirOf(cluster: string): string {
  return join(tmpdir(), `svc-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`)
}

function makeSocketDir(cluster: string, { uid, gid }: Account): string {
  const socketDir = socketDirOf(cluster)
  rmSync(socketDir, { recursive: true, force: true })
  mkdirSync(socketDir, { mode: 0o700 })
  if (uid !== undefined && gid !== undefined) chownSync(socketDir, uid, gid)
  return socketDir
}

async function start(
  { programs, cluster }: PostgresLocation,
  account: Account,
  socketDir: string,
): Promise<ChildProcess> {
  const server = spawn(
    join(programs, 'bin', 'postgres'),
    ['-D', cluster, '-c', 'listen_addresses=', '-c', `unix_socket_directories=${socketDir}`],
    // Its own process group: Ctrl-C in the terminal must not stop it under requests that still run.
    { ...account, cwd: cluster, detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const said = textOf(server)
  stopWhenWeAreGone(server)
  for (let waited = 0; waited < START_TIMEOUT_MS; waited += 20) {
    if (said().includes('ready to accept connections')) return server
    if (server.exitCode !== null) break
    await sleep(20)
  }
  throw new Error(`PostgreSQL did not start in ${cluster}: ${said()}`)
}

/** A watcher reads from a pipe of ours; when we die, even killed, the pipe ends and it stops the server. */
function stopWhenWeAreGone(server: ChildProcess): void {
  const watcher = spawn('/bin/sh', ['-c', 'cat >/dev/null; kill -INT "$0" 2>/dev/null', String(server.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher.unref()
  server.once('exit', () => watcher.kill())
}

/** Collects what a program says on its error output, its last 4,000 characters. */
function textOf(program: ChildProcess): () => string {
  let text = ''
  program.stderr?.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-4000)
  })
  return () => text.trim()
}

function exitOf(program: ChildProcess, timeoutMs: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      program.kill('SIGKILL')
      reject(new Error(`${program.spawnfile} did not end in ${timeoutMs} ms`))
    }, timeoutMs)
    program.once('error', reject)
    program.once('exit', (code) => {
      clearTimeout(timer)
      resolve(code)
    })
  })
}
