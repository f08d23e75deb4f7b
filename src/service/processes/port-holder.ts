import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'

/** TCP's state LISTEN, as Linux writes it. */
const LISTENING = '0A'

/** Which process listens at a port, such as `process 4711 (node)`; null where the system does not tell this account. */
export function holderOfPort(port: number): string | null {
  try {
    const sockets = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => listeningAt(port, table)))
    const holder = readdirSync('/proc').find((name) => /^\d+$/.test(name) && hasOneOf(sockets, name))
    if (holder === undefined) return null
    // Its program's file, as Node names its own process after a thread.
    return `process ${holder} (${basename(readlinkSync(`/proc/${holder}/exe`))})`
  } catch {
    return null
  }
}

/** Names of the sockets that listen at a port. Columns of the table: proc(5). */
function listeningAt(port: number, table: string): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return readFileSync(table, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = '', , state]) => local.endsWith(suffix) && state === LISTENING)
    .map((columns) => `socket:[${columns[9] ?? ''}]`)
}

function hasOneOf(sockets: ReadonlySet<string>, process: string): boolean {
  try {
    const folder = `/proc/${process}/fd`
    return readdirSync(folder).some((descriptor) => sockets.has(linkOf(`${folder}/${descriptor}`)))
  } catch {
    // Another account's, or one that has just ended.
    return false
  }
}

/** Empty where it was closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
