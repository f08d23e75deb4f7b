import { readFileSync, writeFileSync } from 'node:fs'
import { url as inspectorUrl } from 'node:inspector'

/** Which mappings a core dump of this process holds (core(5)): with none of them it has registers and no memory. */
const COREDUMP_FILTER = '/proc/self/coredump_filter'

/**
 * Keeps cards and keys in the memory of this process. Call it first. Files and sockets that it makes from here on are for its account
 * alone; a core dump of it, and of each process that it starts, holds no memory; SIGUSR1 does not open Node's inspector.
 */
export function keepPrivate(): void {
  process.umask(process.umask(0o077) | 0o077)
  process.on('SIGUSR1', () => undefined)
  try {
    writeFileSync(COREDUMP_FILTER, '0')
  } catch {
    // Another system than Linux: the limit of core dumps is left, which `exposures` reads.
  }
}

/** Options by which Node writes its memory, or its environment, to a file. */
const WRITES_MEMORY = /--(?:heapsnapshot-[\w-]+|heap-prof\b|report-(?:on-|uncaught)[\w-]+|abort-on-[\w-]+)/g

/** What could lay open the memory of a process, each in one line for the operator. `nodeOptions`: those of its command and NODE_OPTIONS. */
export function exposures(nodeOptions: string): string[] {
  const named = [...new Set(nodeOptions.match(WRITES_MEMORY))]
  return [
    ...named.map(
      (option) => `Node's option ${option} may write card numbers and keys to a file: take it away`,
    ),
    ...(dumpsMemory()
      ? ['a core dump would hold card numbers and keys: set its limit to 0 (LimitCORE=0, ulimit -c 0)']
      : []),
  ]
}

/** Whether the system would write this process's memory to a file if it crashed; false where the system does not say. */
function dumpsMemory(): boolean {
  try {
    if (Number.parseInt(readFileSync(COREDUMP_FILTER, 'utf8'), 16) === 0) return false
    return !/^Max core file size\s+0\s/m.test(readFileSync('/proc/self/limits', 'utf8'))
  } catch {
    return false
  }
}

/** Whether a debugger can read and change this process, as by `--inspect`. */
export function isOpenToDebuggers(): boolean {
  return inspectorUrl() !== undefined
}
