import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { asOthersMayRead } from '../../make-folder.ts'
import { DatabaseFault } from '../faults.ts'
import { takeKernelLock } from './folder-lock.ts'
import type { Account, PostgresLocation } from './postgres-location.ts'
import { complaintsOf, endOf, reasonIn, runProgram, startProgram } from '../program.ts'

const INIT_TIMEOUT_MS = 120_000
/**
 * Where it recovers after a crash, PostgreSQL logs every 10 s how far it is (`log_startup_progress_interval`), but nothing while the
 * checkpoint at the end of it is written.
 */
const LONGEST_SILENCE_MS = 300_000
const ORPHAN_TIMEOUT_MS = 30_000

/**
 * Starts the server of a cluster and waits until it takes connections, on a socket in `socketDir` and nowhere else. It
 * holds a lock as long as one of its processes lives, in whatever container; an earlier server is waited for. A recovery
 * may take as long as it likes, if it says so. Throws a `DatabaseFault` when it can't be started.
 */
export async function startServer(
  { programs, cluster }: PostgresLocation,
  account: Account,
  socketDir: string,
  longestSilenceMs = LONGEST_SILENCE_MS,
): Promise<ChildProcess> {
  await endOrphanedServer(cluster)
  const lock = await takeServerLock(cluster)
  const server = startProgram(
    join(programs, 'bin', 'postgres'),
    ['-D', cluster, ...settingsOf(socketDir)],
    // Its own process group: Ctrl-C in the terminal must not stop it under requests that still run.
    { ...account, cwd: cluster, detached: true, stdio: ['ignore', 'ignore', 'pipe', lock] },
  )
  // From here on it is the server's own.
  closeSync(lock)
  const complaints = complaintsOf(server)
  stopWhenWeAreGone(server)
  if (await isReady(server, complaints, longestSilenceMs)) return server
  throw new DatabaseFault(`PostgreSQL did not start in ${cluster}: ${reasonIn(complaints())}`)
}

/**
 * Makes the cluster unless it exists. It is made under a temporary name and then renamed, so that an existing cluster is always
 * complete, even if we were killed. The name is new each time, as initdb outlives us for a moment. Throws a `DatabaseFault` when
 * it can't be made.
 */
export async function makeCluster(location: PostgresLocation, account: Account): Promise<void> {
  const { cluster } = location
  if (existsSync(cluster)) return
  removeDrafts(cluster)
  const draft = `${cluster}.draft-${randomBytes(4).toString('hex')}`
  mkdirSync(draft, { recursive: true, mode: 0o700 })
  if (account.uid !== undefined && account.gid !== undefined) chownSync(draft, account.uid, account.gid)
  await initialise(location.programs, draft, account)
  renameSync(draft, cluster)
}

/** What counts whatever its own file of settings says: where it is reached, and that it logs in English, to us, who read that. */
function settingsOf(socketDir: string): string[] {
  const settings = {
    listen_addresses: '',
    unix_socket_directories: socketDir,
    logging_collector: 'off',
    log_destination: 'stderr',
    log_min_messages: 'log',
    log_startup_progress_interval: '10s',
    lc_messages: 'C',
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** Waits as long as it lives and logs that it goes on. That it refuses those who connect too early is no such sign. */
async function isReady(
  server: ChildProcess,
  complaints: () => string,
  longestSilenceMs: number,
): Promise<boolean> {
  let silentMs = 0
  server.stderr?.on('data', (chunk: Buffer) => {
    if (chunk.includes('LOG:')) silentMs = 0
  })
  for (; silentMs < longestSilenceMs && !hasEnded(server); silentMs += 20) {
    if (complaints().includes('ready to accept connections')) return true
    await sleep(20)
  }
  return false
}

/** By itself, with an exit code, or by a signal, without one. */
function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

/** A watcher reads from a pipe of ours; when we die, even killed, the pipe ends and it stops the server. */
function stopWhenWeAreGone(server: ChildProcess): void {
  const watcher = startProgram(
    '/bin/sh',
    ['-c', 'cat >/dev/null; kill -INT "$0" 2>/dev/null', String(server.pid)],
    {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  )
  watcher.unref()
  server.once('exit', () => watcher.kill())
}

/** A killed service may leave its server running for a moment, and two servers must never share a cluster. */
async function endOrphanedServer(cluster: string): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid')
  for (let waited = 0; existsSync(pidFile) && waited < ORPHAN_TIMEOUT_MS; waited += 50) {
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
    if (!isServerOf(cluster, pid)) return
    if (waited === 0) process.kill(pid, 'SIGINT')
    await sleep(50)
  }
}

/**
 * The lock that a server's processes hold. One that a killed service has left holds it until its last process has ended;
 * in another container it can't be told to hurry.
 */
async function takeServerLock(cluster: string): Promise<number> {
  for (let waited = 0; waited < ORPHAN_TIMEOUT_MS; waited += 50) {
    const lock = asOthersMayRead(() => takeKernelLock(join(cluster, 'service-server.lock'), 0o644))
    if (lock !== null) return lock
    await sleep(50)
  }
  throw new DatabaseFault(`another PostgreSQL server still runs on ${cluster}: end it first`)
}

/** Whether a process is the server of this very cluster: its number may have been given out again since. */
function isServerOf(cluster: string, pid: number): boolean {
  try {
    const command = existsSync('/proc/self')
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      : runProgram('ps', ['-o', 'command=', '-p', String(pid)]).output
    return command.includes(` -D ${cluster} `)
  } catch {
    return false
  }
}

function removeDrafts(cluster: string): void {
  const folder = dirname(cluster)
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder))
    if (name.startsWith(`${basename(cluster)}.draft`))
      rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 5 })
}

async function initialise(programs: string, folder: string, account: Account): Promise<void> {
  const initdb = startProgram(
    join(programs, 'bin', 'initdb'),
    ['-D', folder, '-U', 'svc', '--auth=trust', '--no-locale', '--encoding=UTF8', '--no-instructions'],
    { ...account, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const complaints = complaintsOf(initdb)
  if ((await endOf(initdb, INIT_TIMEOUT_MS)) === 0) return
  throw new DatabaseFault(`the database cannot be made in ${folder}: ${reasonIn(complaints())}`)
}
