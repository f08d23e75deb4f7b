import { realpathSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { exposures } from './processes/keep-private.ts'

const OPEN_SANDBOX = 'the sandbox gateway is open here: what is charged through it moves no money'

/** Says once, at the start of the service, what its operator should know of this installation: a line for each. */
export function warnAtStart(
  { environment, nodeOptions, secretFiles }: Config,
  log: Pick<Logger, 'warn'>,
): void {
  const isSandbox = environment === 'sandbox'
  const warnings = [
    ...(isSandbox || environment === 'production_svc' ? [] : [OPEN_SANDBOX]),
    ...(isSandbox ? [] : exposures(`${process.execArgv.join(' ')} ${nodeOptions}`)),
    ...exposedSecretFiles(secretFiles),
  ]
  for (const words of warnings) log.warn(words)
}

const [WRITABLE, BY_OTHERS, READABLE_BY_OTHERS, STICKY, ENTERED_BY_OTHERS] = [
  0o022, 0o002, 0o004, 0o1000, 0o001,
]

/** Where Docker and Kubernetes put secrets: readable to all, and nobody else is in the container. */
const MOUNTED = /^(?:\/var)?\/run\/secrets\/|\/\.\.\d{4}_\d\d_\d\d_/

/**
 * Which files of secrets others can read, write or replace, each in one line for the operator. `files`: paths by the names of their
 * settings. It is no reason to refuse a start: some volumes show modes that nobody has set.
 */
export function exposedSecretFiles(files: Readonly<Record<string, string>>): string[] {
  return Object.entries(files).flatMap(([setting, path]) => {
    const exposure = exposureOf(path)
    return exposure === null ? [] : [`${setting} (${path}): ${exposure}`]
  })
}

function exposureOf(path: string): string | null {
  try {
    const file = realpathSync(path)
    const mode = modeOf(file)
    const shown = `mode ${(mode & 0o777).toString(8)}`
    if ((mode & WRITABLE) !== 0) return `other accounts can write it (${shown}): chmod 600`
    const open = [...foldersOf(resolve(path)), ...foldersOf(file)].find(isOpenFolder)
    if (open !== undefined) return `other accounts can replace it, as they can write to ${open}: chmod o-w`
    const isReadable = (mode & READABLE_BY_OTHERS) !== 0 && foldersOf(file).every(mayOthersEnter)
    return isReadable && !MOUNTED.test(file) ? `other accounts can read it (${shown}): chmod 600` : null
  } catch {
    // A file that can't be read is said where it is needed.
    return null
  }
}

function modeOf(path: string): number {
  return statSync(path).mode
}

/** Each folder above a file. */
function foldersOf(path: string): string[] {
  const folder = dirname(path)
  return folder === path ? [] : [folder, ...foldersOf(folder)]
}

/** Whether others can put another file in the place of one; in a folder such as /tmp only its owner can. */
function isOpenFolder(folder: string): boolean {
  const mode = modeOf(folder)
  return (mode & BY_OTHERS) !== 0 && (mode & STICKY) === 0
}

function mayOthersEnter(folder: string): boolean {
  return (modeOf(folder) & ENTERED_BY_OTHERS) !== 0
}
