import { execFileSync, spawnSync } from 'node:child_process'

/** The account that PostgreSQL runs as; `{}` is our own. PostgreSQL refuses to run as root. */
export interface Account {
  uid?: number
  gid?: number
}

/** Our own account, or for root the first ordinary one that there is: postgres, else nobody. */
export function postgresAccount(): Account {
  if (process.getuid?.() !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    const uid = idOf('-u', name)
    const gid = idOf('-g', name)
    if (uid !== null && gid !== null) return { uid, gid }
  }
  throw new Error(
    'PostgreSQL refuses to run as root, and there is no account postgres or nobody to run it as',
  )
}

function idOf(flag: string, name: string): number | null {
  try {
    return Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }).toString())
  } catch {
    return null
  }
}

/** Whether an account may enter a folder: asked of the system, which knows of all modes and lists. */
export function mayEnter(account: Account, folder: string): boolean {
  if (account.uid === undefined) return true
  return (
    spawnSync('/bin/sh', ['-c', 'cd "$0"', folder], { ...account, cwd: '/', stdio: 'ignore' }).status === 0
  )
}
