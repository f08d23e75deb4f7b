import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { exposures } from './processes/keep-private.ts'
import { exposedSecretFiles } from './settings/secret-files.ts'

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
