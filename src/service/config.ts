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
  originList,
  portNumber,
  processCount,
  sandboxBankSettingsOf,
  sandboxBankVariables,
} from './settings/addresses.ts'
import type { DashboardSettings, SandboxBankSettings } from './settings/addresses.ts'
import { readSecretFile } from './platform/vault/key-stores/read-secret-file.ts'
import { PROXY_SECRETS, proxiesOf, proxyVariables } from './settings/proxy-settings.ts'
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
  SVC_WIDGET_ALIASES: originList,
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
  ...sandboxBankVariables,
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
export interface Config extends PlatformConfig, DashboardSettings, SandboxBankSettings {
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
  const origins = [baseUrl, settings.SVC_WIDGET_URL ?? baseUrl, ...settings.SVC_WIDGET_ALIASES]
  const dashboard = orRefuse(dashboardSettingsOf(settings, origins))
  const sandboxBank = orRefuse(
    sandboxBankSettingsOf(settings, dashboard, [...origins, dashboard.dashboardUrl]),
  )
  return {
    host: settings.SVC_HOST,
    port: settings.SVC_PORT,
    demoPort: settings.SVC_DEMO_PORT,
    ...dashboard,
    ...sandboxBank,
    dataDir: resolve(settings.SVC_DATA_DIR),
    databaseUrl: settings.SVC_DATABASE_URL,
    baseUrl,
    widgetUrl: settings.SVC_WIDGET_URL ?? baseUrl,
    widgetAliases: settings.SVC_WIDGET_ALIASES,
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

/** Settings that hold a secret and may be given as a file. Those of the vault are read where its keys are opened. */
const SECRETS = ['SVC_DATABASE_URL', 'SVC_METRICS_TOKEN', ...PROXY_SECRETS]

type Variables = Record<string, string | undefined>

/** The environment with secrets read from their files, or in one line why one can't be read. */
function withSecretFiles(environment: Variables, secrets: readonly string[] = SECRETS): Variables | string {
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
function unknownSetting(given: readonly string[], known: readonly string[]): string | null {
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
