import { resolve } from 'node:path'
import * as v from 'valibot'
import { ConfigError } from './platform/errors.ts'
import { isNetwork } from './platform/http/callers/sender.ts'
import type { PlatformConfig } from './platform/platform.ts'
import type { RateLimits } from './platform/rate-limits.ts'
import type { TracingSettings } from './platform/tracing.ts'
import { vaultSettingsOf, vaultVariables } from './platform/vault/key-stores/vault-settings.ts'
import type { VaultSettings } from './platform/vault/key-stores/vault-settings.ts'
import {
  dashboardSettingsOf,
  dashboardVariables,
  isSafeIssuer,
  OauthIssuer,
  publicUrlFault,
  databaseUrl,
  drainSeconds,
  hostAddress,
  origin,
  portNumber,
  processCount,
} from './settings/addresses.ts'
import type { DashboardSettings } from './settings/addresses.ts'
import { unknownSetting, withSecretFiles } from './settings/environment.ts'
import { proxiesOf, proxyVariables } from './settings/proxy-settings.ts'
import { tracingSettingsOf, tracingVariables } from './settings/tracing-settings.ts'

const port = (fallback: string) => v.optional(portNumber, fallback)
const seconds = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,7}$/, 'must be a whole number of seconds'),
  v.transform(Number),
)

const networks = v.pipe(
  v.optional(v.string(), ''),
  v.transform((list) => (list.trim() === '' ? [] : list.split(',').map((one) => one.trim()))),
  v.check(
    (list) => list.every(isNetwork),
    'must be addresses or networks such as 10.0.0.0/8, separated by commas',
  ),
)

const count = v.optional(
  v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}$/, 'must be a whole number above 0'), v.transform(Number)),
)
/** How much one caller may do, as environment variables. */
const rateLimitVariables = {
  SVC_RATE_LIMIT_PER_KEY: count,
  SVC_RATE_LIMIT_PER_ADDRESS: count,
  SVC_RATE_LIMIT_CARDS_PER_ADDRESS: count,
  SVC_RATE_LIMIT_WRONG_KEYS: count,
  SVC_RATE_LIMIT_WASTED_WORK: count,
}

const Environment = v.object({
  SVC_HOST: v.optional(hostAddress),
  SVC_PORT: port('8080'),
  SVC_DEMO_PORT: port('8090'),
  ...dashboardVariables,
  SVC_DATA_DIR: v.pipe(v.optional(v.string(), '.data'), v.nonEmpty('must name a folder')),
  SVC_DATABASE_URL: v.optional(databaseUrl),
  SVC_DATABASE_URL_FILE: v.optional(v.string()),
  SVC_BASE_URL: v.optional(origin),
  SVC_WIDGET_URL: v.optional(origin),
  SVC_ENVIRONMENT: v.optional(
    v.picklist(
      ['sandbox', 'staging_svc', 'preproduction_svc', 'production_svc'],
      'must be sandbox, staging_svc, preproduction_svc or production_svc',
    ),
    'sandbox',
  ),
  ...vaultVariables,
  ...proxyVariables,
  ...tracingVariables,
  NODE_OPTIONS: v.optional(v.string(), ''),
  SVC_LOG_LEVEL: v.optional(
    v.picklist(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be fatal, error, warn, info, debug, trace or silent',
    ),
    'info',
  ),
  SVC_DRAIN_SECONDS: v.optional(drainSeconds, '0'),
  SVC_PROCESSES: v.optional(processCount, '1'),
  SVC_SANDBOX_HOLD_SECONDS: v.optional(seconds, '604800'),
  ...rateLimitVariables,
  SVC_TRUSTED_PROXIES: networks,
  SVC_OAUTH_ISSUER: v.optional(OauthIssuer),
  SVC_METRICS_TOKEN: v.optional(
    v.pipe(v.string(), v.regex(/^[\x21-\x7e]{16,}$/, 'must have at least 16 visible characters')),
  ),
  SVC_METRICS_TOKEN_FILE: v.optional(v.string()),
})

/** The name of every setting. */
export const SETTING_NAMES: readonly string[] = Object.keys(Environment.entries)

/** How this process is to run. Times are in seconds where a name says so. */
export interface Config extends PlatformConfig, DashboardSettings {
  /** The address that the listeners are bound to; undefined: every address of this machine. */
  host: string | undefined
  port: number
  demoPort: number
  dataDir: string
  /** Undefined: in sandbox, and where `npm start` runs it, the embedded PostgreSQL in the data folder. */
  databaseUrl: string | undefined
  vault: VaultSettings
  logLevel: string
  /** Files of secrets, by the settings that name them. */
  secretFiles: Readonly<Record<string, string>>
  /** Options of Node that the environment adds to those of the command. */
  nodeOptions: string
  /** How long `/health` says that this process is about to stop, before it takes no more requests. */
  drainSeconds: number
  /** How many processes share the ports, each a full service. */
  processes: number
  /** Null: nothing is traced. */
  tracing: TracingSettings | null
}

/** Reads the environment variables; throws a `ConfigError` on the first wrong one. */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const settings = settingsIn(environment)
  const vault = orRefuse(vaultSettingsOf(settings, settings.SVC_ENVIRONMENT === 'sandbox'))
  if (!isSafeIssuer(settings)) throw new ConfigError('SVC_OAUTH_ISSUER must be https outside sandbox')
  const fault = publicUrlFault(settings)
  if (fault !== null) throw new ConfigError(fault)
  const baseUrl = settings.SVC_BASE_URL ?? `http://localhost:${String(settings.SVC_PORT)}`
  const origins = [baseUrl, settings.SVC_WIDGET_URL ?? baseUrl]
  const dashboard = orRefuse(dashboardSettingsOf(settings, origins))
  return {
    host: settings.SVC_HOST,
    port: settings.SVC_PORT,
    demoPort: settings.SVC_DEMO_PORT,
    ...dashboard,
    dataDir: resolve(settings.SVC_DATA_DIR),
    databaseUrl: settings.SVC_DATABASE_URL,
    baseUrl,
    widgetUrl: settings.SVC_WIDGET_URL ?? baseUrl,
    environment: settings.SVC_ENVIRONMENT,
    vault,
    logLevel: settings.SVC_LOG_LEVEL,
    nodeOptions: settings.NODE_OPTIONS,
    secretFiles: secretFilesIn(settings),
    drainSeconds: settings.SVC_DRAIN_SECONDS,
    processes: settings.SVC_PROCESSES,
    sandboxHoldSeconds: settings.SVC_SANDBOX_HOLD_SECONDS,
    rateLimits: rateLimitsOf(settings),
    trustedProxies: settings.SVC_TRUSTED_PROXIES,
    metricsToken: settings.SVC_METRICS_TOKEN,
    proxies: proxiesOf(settings),
    tracing: tracingSettingsOf(settings),
    oauthIssuer: settings.SVC_OAUTH_ISSUER,
  }
}

/** The merchant's secret key that `svc webhooks listen` asks with: no setting of the service. Throws a `ConfigError` where its file can't be read. */
export function readMerchantKey(
  environment: Record<string, string | undefined> = process.env,
): string | undefined {
  return orRefuse(withSecretFiles(environment, ['SVC_SECRET_KEY']))['SVC_SECRET_KEY']
}

/** Each variable by itself, as its schema reads it. */
function settingsIn(environment: Record<string, string | undefined>): v.InferOutput<typeof Environment> {
  const unknown = unknownSetting(Object.keys(environment), SETTING_NAMES)
  if (unknown !== null) throw new ConfigError(unknown)
  const parsed = v.safeParse(Environment, orRefuse(withSecretFiles(environment)))
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  const name = v.getDotPath(issue) ?? 'environment'
  const file = `${name}_FILE`
  const place = environment[file] === undefined ? name : `${name} (from ${file})`
  throw new ConfigError(`${place} ${issue.message}`)
}

function secretFilesIn(settings: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]: [string, unknown]) =>
      name.endsWith('_FILE') && typeof value === 'string' ? [[name, value]] : [],
    ),
  )
}

/** Returns the settings, or throws the text that says why they do not fit together. */
function orRefuse<Settings extends object>(settings: Settings | string): Settings {
  if (typeof settings === 'string') throw new ConfigError(settings)
  return settings
}

type RateLimitVariables = v.InferOutput<v.ObjectSchema<typeof rateLimitVariables, undefined>> & {
  SVC_ENVIRONMENT: string
}

/** In sandbox a load test of one machine must fit; wrong keys are as rare there as anywhere. */
function rateLimitsOf(settings: RateLimitVariables): RateLimits {
  const isSandbox = settings.SVC_ENVIRONMENT === 'sandbox'
  const rate = (set: number | undefined, inSandbox: number, elsewhere: number) => {
    const perSecond = set ?? (isSandbox ? inSandbox : elsewhere)
    return { perSecond, burst: 2 * perSecond }
  }
  const wastedMs = settings.SVC_RATE_LIMIT_WASTED_WORK ?? 100
  const wrongKeys = settings.SVC_RATE_LIMIT_WRONG_KEYS ?? 60
  return {
    perKey: rate(settings.SVC_RATE_LIMIT_PER_KEY, 50_000, 200),
    perAddress: rate(settings.SVC_RATE_LIMIT_PER_ADDRESS, 50_000, 400),
    cardsPerAddress: rate(settings.SVC_RATE_LIMIT_CARDS_PER_ADDRESS, 50_000, 20),
    wastedWorkPerAddress: { perSecond: wastedMs, burst: 10 * wastedMs },
    wrongKeysPerAddress: { perSecond: wrongKeys / 60, burst: wrongKeys },
  }
}
