import { existsSync, readFileSync } from 'node:fs'

/** The kernel counts a process's time in hundredths of a second. */
const TICK_MS = 10

/** The processor time that a process has used since it began, in ms. */
export function processorMs(pid: number): number {
  const [user = 0, system = 0] = ticksOf(pid)
  return (user + system) * TICK_MS
}

/** The processor time that the processes of a PostgreSQL server have used, in ms, those included that have ended. */
export function postgresMs(postmaster: number): number {
  const [, , endedUser = 0, endedSystem = 0] = ticksOf(postmaster)
  const running = childrenOf(postmaster).reduce((sum, pid) => sum + processorMs(pid), 0)
  return running + (endedUser + endedSystem) * TICK_MS
}

/** What a process has used in user and in system mode, then what its ended children had; empty once it has ended. */
function ticksOf(pid: number): number[] {
  const path = `/proc/${pid}/stat`
  if (!existsSync(path)) return []
  const [, fields = ''] = readFileSync(path, 'utf8').split(') ')
  return fields.split(' ').slice(11, 15).map(Number)
}

/** The process id of the server whose files are in `cluster`. */
export function postmasterOf(cluster: string): number {
  return Number(readFileSync(`${cluster}/postmaster.pid`, 'utf8').split('\n')[0])
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}
