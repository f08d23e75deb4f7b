import { readSecretFile } from '../platform/vault/key-stores/read-secret-file.ts'

/** Settings that hold a secret and may be given as a file. Those of the vault are read where its keys are opened. */
const SECRETS = ['SVC_DATABASE_URL', 'SVC_METRICS_TOKEN']

type Variables = Record<string, string | undefined>

/** The environment with the secrets that stand in files, or in one line why one of them can't be read. */
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
      return `${name}_FILE can not be read: ${error instanceof Error ? error.message : String(error)}`
    }
  }
  return { ...environment, ...read }
}
