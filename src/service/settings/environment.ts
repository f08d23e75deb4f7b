import { readSecretFile } from '../platform/vault/key-stores/read-secret-file.ts'
import { PROXY_SECRETS } from './proxy-settings.ts'

/** Settings that hold a secret and may be given as a file. Those of the vault are read where its keys are opened. */
const SECRETS = ['SVC_DATABASE_URL', 'SVC_METRICS_TOKEN', ...PROXY_SECRETS]

type Variables = Record<string, string | undefined>

/** The environment with secrets read from their files, or in one line why one can't be read. */
export function withSecretFiles(
  environment: Variables,
  secrets: readonly string[] = SECRETS,
): Variables | string {
  const read: Variables = {}
  for (const name of secrets) {
    const file = environment[`${name}_FILE`]
    if (file === undefined) continue
    if (environment[name] !== undefined) return `${name} and ${name}_FILE are both set: give one of them`
    try {
      read[name] = readSecretFile(file)
    } catch (error) {
      return `${name}_FILE cannot be read: ${error instanceof Error ? error.message : String(error)}`
    }
  }
  return { ...environment, ...read }
}

/** Read by `npm run build`, `svc webhooks listen` and tests, which may share an environment with the service. */
const OF_OTHERS = /^SVC_(?:BUILD_ORIGINS$|SECRET_KEY(?:_FILE)?$|TEST_)/

/** A message about a variable that begins with SVC_ and is no setting, with the likely name; null when there is none. */
export function unknownSetting(given: readonly string[], known: readonly string[]): string | null {
  const unknown = given.find(
    (name) => name.startsWith('SVC_') && !known.includes(name) && !OF_OTHERS.test(name),
  )
  if (unknown === undefined) return null
  const likely = likelyName(unknown, known)
  return likely === null ? `${unknown} is unknown.` : `${unknown} is unknown. Did you mean ${likely}?`
}

/** With more typing errors than this nobody can tell what was meant. */
const MAX_SLIPS = 3

/** Which of the known names was meant by one that is misspelt; null where none is near. */
function likelyName(given: string, known: readonly string[]): string | null {
  const [likely] = known
    .map((name) => ({ name, slips: slipsBetween(given, name) }))
    .filter(({ slips }) => slips <= MAX_SLIPS)
    .sort((one, other) => one.slips - other.slips)
  return likely?.name ?? null
}

/** Letters to be added, removed, replaced or swapped with their neighbour (optimal string alignment distance). */
function slipsBetween(one: string, other: string): number {
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1]
      const isSwapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      next[j] = Math.min(
        at(row, j) + 1,
        at(next, j - 1) + 1,
        at(row, j - 1) + (isSame ? 0 : 1),
        isSwapped ? at(before, j - 2) + 1 : Infinity,
      )
    }
    before = row
    row = next
  }
  return at(row, other.length)
}

function at(row: readonly number[], place: number): number {
  return row[place] ?? Infinity
}
