import { spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Account } from './postgres-account.ts'
import type { PostgresLocation } from './postgres-location.ts'
import { complaintsOf, endOf } from './program.ts'

const INIT_TIMEOUT_MS = 120_000

/**
 * Makes the cluster unless it is there. It is made under another name first, so that one that is there is whole,
 * also when we were killed while making it.
 */
export async function makeCluster(location: PostgresLocation, account: Account): Promise<void> {
  const { cluster } = location
  if (existsSync(cluster)) return
  const draft = `${cluster}.draft`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true, mode: 0o700 })
  if (account.uid !== undefined && account.gid !== undefined) chownSync(draft, account.uid, account.gid)
  await initialise(location.programs, draft, account)
  renameSync(draft, cluster)
}

async function initialise(programs: string, folder: string, account: Account): Promise<void> {
  const initdb = spawn(
    join(programs, 'bin', 'initdb'),
    ['-D', folder, '-U', 'svc', '--auth=trust', '--no-locale', '--encoding=UTF8', '--no-instructions'],
    { ...account, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const complaints = complaintsOf(initdb)
  if ((await endOf(initdb, INIT_TIMEOUT_MS)) !== 0)
    throw new Error(`initdb failed in ${folder}: ${complaints()}`)
}
