import { readFileSync } from 'node:fs'

/** The kernel counts a process's time in hundredths of a second. */
const TICK_MS = 10

/** The processor time that a process has used since it began, in ms. */
export function processorMs(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system] = fields.split(' ').slice(11, 13).map(Number)
  return ((user ?? 0) + (system ?? 0)) * TICK_MS
}

/** The processor time that the running processes of a PostgreSQL server have used, in ms. */
export function postgresMs(postmaster: number): number {
  return childrenOf(postmaster).reduce((sum, pid) => sum + processorMs(pid), 0)
}

/** The process id of the server whose files are in `cluster`. */
export function postmasterOf(cluster: string): number {
  return Number(readFileSync(`${cluster}/postmaster.pid`, 'utf8').split('\n')[0])
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}
