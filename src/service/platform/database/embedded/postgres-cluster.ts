import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Account } from './postgres-account.ts'
import type { PostgresLocation } from './postgres-location.ts'
import { DatabaseFault } from '../faults.ts'
import { complaintsOf, endOf, reasonIn, startProgram } from '../program.ts'

const INIT_TIMEOUT_MS = 120_000

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
