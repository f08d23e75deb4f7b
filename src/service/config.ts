import { resolve } from 'node:path'
import * as v from 'valibot'
import { dashboardSettingsOf, dashboardVariables } from './dashboard-settings.ts'
import type { DashboardSettings } from './dashboard-settings.ts'
import type { RateLimits } from './platform/rate-limits/rate-limit.ts'
import { isNetwork } from './platform/http/callers/networks.ts'
import { isSafeIssuer, OauthIssuer } from './platform/http/callers/oauth-issuer.ts'
import { vaultSettingsOf, vaultVariables } from './platform/vault/key-stores/vault-settings.ts'
import type { VaultSettings } from './platform/vault/key-stores/vault-settings.ts'
import { origin, portNumber } from './setting-schemas.ts'

const port = (fallback: string) => v.optional(portNumber, fallback)
const seconds = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,7}$/, 'must be a whole number of seconds'),
  v.transform(Number),
)

const count = v.optional(
  v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}$/, 'must be a whole number above 0'), v.transform(Number)),
)
const networks = v.pipe(
  v.optional(v.string(), ''),
  v.transform((list) => (list.trim() === '' ? [] : list.split(',').map((one) => one.trim()))),
  v.check(
    (list) => list.every(isNetwork),
    'must be addresses or networks such as 10.0.0.0/8, separated by commas',
  ),
)

const Environment = v.object({
  SVC_PORT: port('8080'),
  SVC_DEMO_PORT: port('8090'),
  ...dashboardVariables,
  SVC_DATA_DIR: v.pipe(v.optional(v.string(), '.data'), v.nonEmpty('must name a folder')),
  SVC_DATABASE_URL: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^postgres(?:ql)?:\/\//, 'must be a postgres:// URL'),
      v.check((url) => URL.canParse(url), 'is not a URL'),
      v.check(hasPort, 'must name a port from 0 to 65535'),
    ),
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
  ...vaultVariables,
  SVC_LOG_LEVEL: v.optional(
    v.picklist(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'must be a log level'),
    'info',
  ),
  SVC_SANDBOX_HOLD_SECONDS: v.optional(seconds, '604800'),
  SVC_RATE_LIMIT_PER_KEY: count,
  SVC_RATE_LIMIT_PER_ADDRESS: count,
  SVC_RATE_LIMIT_CARDS_PER_ADDRESS: count,
  SVC_RATE_LIMIT_WRONG_KEYS: count,
  SVC_TRUSTED_PROXIES: networks,
  SVC_OAUTH_ISSUER: v.optional(OauthIssuer),
  SVC_METRICS_TOKEN: v.optional(
    v.pipe(v.string(), v.regex(/^[\x21-\x7e]{16,}$/, 'must have at least 16 visible characters')),
  ),
})

/** A URL's own port is one, or it would not be a URL; the parameter that `pg` takes in its place may be anything. */
function hasPort(url: string): boolean {
  // What is no URL at all has been refused for that.
  if (!URL.canParse(url)) return true
  const ports = new URL(url).searchParams.getAll('port')
  return ports.every((text) => /^\d{0,5}$/.test(text) && Number(text) <= 65535)
}

/** How this process is to run. Times are in seconds where a name says so. */
export interface Config extends DashboardSettings {
  port: number
  demoPort: number
  dataDir: string
  databaseUrl: string | undefined
  baseUrl: string
  widgetUrl: string
  environment: 'sandbox' | 'staging_svc' | 'preproduction_svc' | 'production_svc'
  vault: VaultSettings
  logLevel: string
  sandboxHoldSeconds: number
  rateLimits: RateLimits
  /** Addresses and networks whose word on where a request came from (X-Forwarded-For) is taken. */
  trustedProxies: string[]
  /** Who sends it may read /metrics; without one, who is on this machine or network. */
  metricsToken: string | undefined
  /** Whose access tokens are taken; undefined: the service issues them itself. */
  oauthIssuer: string | undefined
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
  const vault = vaultSettingsOf(settings, settings.SVC_ENVIRONMENT === 'sandbox')
  if (typeof vault === 'string') throw new ConfigError(vault)
  if (!isSafeIssuer(settings)) throw new ConfigError('SVC_OAUTH_ISSUER must be https outside sandbox')
  const baseUrl = settings.SVC_BASE_URL ?? `http://localhost:${String(settings.SVC_PORT)}`
  const dashboard = dashboardSettingsOf(settings, [baseUrl, settings.SVC_WIDGET_URL ?? baseUrl])
  if (typeof dashboard === 'string') throw new ConfigError(dashboard)
  return {
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
    sandboxHoldSeconds: settings.SVC_SANDBOX_HOLD_SECONDS,
    rateLimits: rateLimitsOf(settings),
    trustedProxies: settings.SVC_TRUSTED_PROXIES,
    metricsToken: settings.SVC_METRICS_TOKEN,
    oauthIssuer: settings.SVC_OAUTH_ISSUER,
  }
}

/** What other programs need: where programs and libraries are, the language, the time zone, a place for passing files. */
const FOR_PROGRAMS = /^(?:PATH|LD_LIBRARY_PATH|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR)$/

/** The environment for a program that is no part of the service: no setting of ours, and no secret of anyone's. */
export function environmentOfPrograms(
  environment: Record<string, string | undefined> = process.env,
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => FOR_PROGRAMS.test(name)))
}

/**
 * Takes PGHOST, PGOPTIONS and their like out of the environment. The `pg` package reads them for each connection, wherever
 * the connection's URL leaves something open, and they were meant for another program.
 */
export function forgetPostgresVariables(environment: Record<string, string | undefined> = process.env): void {
  for (const name of Object.keys(environment))
    if (name.startsWith('PG')) Reflect.deleteProperty(environment, name)
}

/** In sandbox a load test of one machine must fit; wrong keys are as rare there as anywhere. */
function rateLimitsOf(settings: v.InferOutput<typeof Environment>): RateLimits {
  const isSandbox = settings.SVC_ENVIRONMENT === 'sandbox'
  const rate = (set: number | undefined, inSandbox: number, elsewhere: number) => {
    const perSecond = set ?? (isSandbox ? inSandbox : elsewhere)
    return { perSecond, burst: 2 * perSecond }
  }
  const wrongKeys = settings.SVC_RATE_LIMIT_WRONG_KEYS ?? 60
  return {
    perKey: rate(settings.SVC_RATE_LIMIT_PER_KEY, 50_000, 200),
    perAddress: rate(settings.SVC_RATE_LIMIT_PER_ADDRESS, 50_000, 400),
    cardsPerAddress: rate(settings.SVC_RATE_LIMIT_CARDS_PER_ADDRESS, 50_000, 20),
    wrongKeysPerAddress: { perSecond: wrongKeys / 60, burst: wrongKeys },
  }
}
