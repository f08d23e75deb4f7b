import { resolve } from 'node:path'
import * as v from 'valibot'

const port = (fallback: string) =>
  v.pipe(
    v.optional(v.string(), fallback),
    v.regex(/^\d{1,5}$/, 'must be a port number'),
    v.transform(Number),
    v.maxValue(65535, 'must be a port number'),
  )
const origin = v.pipe(
  v.string(),
  v.transform((url) => url.replace(/\/+$/, '')),
  v.check(isOrigin, 'must be an origin such as https://pay.example.com'),
)
const seconds = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,7}$/, 'must be a whole number of seconds'),
  v.transform(Number),
)

const Environment = v.object({
  SVC_PORT: port('8080'),
  SVC_DEMO_PORT: port('8090'),
  SVC_DATA_DIR: v.pipe(v.optional(v.string(), '.data'), v.nonEmpty('must name a folder')),
  SVC_DATABASE_URL: v.optional(
    v.pipe(v.string(), v.regex(/^postgres(?:ql)?:\/\//, 'must be a postgres:// URL')),
  ),
  SVC_BASE_URL: v.optional(origin),
  SVC_WIDGET_URL: v.optional(origin),
  SVC_ENVIRONMENT: v.optional(
    v.picklist(
      ['sandbox', 'staging_svc', 'preproduction_svc', 'production_svc'],
      'must be sandbox, staging_svc, preproduction_svc or production_svc',
    ),
    'sandbox',
  ),
  SVC_VAULT_KEYS: v.optional(v.string()),
  SVC_LOG_LEVEL: v.optional(
    v.picklist(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'must be a log level'),
    'info',
  ),
  SVC_SANDBOX_HOLD_SECONDS: v.optional(seconds, '604800'),
})

function isOrigin(url: string): boolean {
  return /^https?:/.test(url) && URL.canParse(url) && new URL(url).origin === url.toLowerCase()
}

/** How this process is to run. Times are in seconds where a name says so. */
export interface Config {
  port: number
  demoPort: number
  dataDir: string
  databaseUrl: string | undefined
  baseUrl: string
  widgetUrl: string
  environment: 'sandbox' | 'staging_svc' | 'preproduction_svc' | 'production_svc'
  vaultKeys: string | undefined
  logLevel: string
  sandboxHoldSeconds: number
}

/** A wrong setting, said in one line that names it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Reads the environment variables; throws a `ConfigError` on the first wrong one. */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const parsed = v.safeParse(Environment, environment)
  if (!parsed.success) {
    const [issue] = parsed.issues
    throw new ConfigError(`${v.getDotPath(issue) ?? 'environment'} ${issue.message}`)
  }
  const settings = parsed.output
  if (settings.SVC_ENVIRONMENT !== 'sandbox' && settings.SVC_VAULT_KEYS === undefined) {
    throw new ConfigError('SVC_VAULT_KEYS must be set outside sandbox: nothing starts on made-up keys')
  }
  const baseUrl = settings.SVC_BASE_URL ?? `http://localhost:${String(settings.SVC_PORT)}`
  return {
    port: settings.SVC_PORT,
    demoPort: settings.SVC_DEMO_PORT,
    dataDir: resolve(settings.SVC_DATA_DIR),
    databaseUrl: settings.SVC_DATABASE_URL,
    baseUrl,
    widgetUrl: settings.SVC_WIDGET_URL ?? baseUrl,
    environment: settings.SVC_ENVIRONMENT,
    vaultKeys: settings.SVC_VAULT_KEYS,
    logLevel: settings.SVC_LOG_LEVEL,
    sandboxHoldSeconds: settings.SVC_SANDBOX_HOLD_SECONDS,
  }
}
