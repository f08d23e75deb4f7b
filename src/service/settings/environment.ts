import { PROXY_SECRETS } from './proxy-settings.ts'
import { likelyName } from '../platform/likely-name.ts'
import { readSecretFile } from '../platform/vault/key-stores/read-secret-file.ts'

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
