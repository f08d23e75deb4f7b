import { DatabaseFault } from '../faults.ts'
import { runProgram } from '../program.ts'

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
  throw new DatabaseFault(
    'PostgreSQL refuses to run as root, and there is no account postgres or nobody to run it as',
  )
}

function idOf(flag: string, name: string): number | null {
  const { code, output } = runProgram('id', [flag, name])
  return code === 0 ? Number(output) : null
}

/** Whether an account may enter a folder: asked of the system, which knows of all modes and lists. */
export function mayEnter(account: Account, folder: string): boolean {
  if (account.uid === undefined) return true
  return runProgram('/bin/sh', ['-c', 'cd "$0"', folder], { ...account, cwd: '/' }).code === 0
}
