import type { Logger } from 'pino'
import type { MonotonicClock } from './clocks.ts'
import type { DatabaseClock } from './database/database-clock.ts'
import type { Database } from './database/database.ts'
import { createIds } from './identifiers.ts'
import type { CreateId } from './identifiers.ts'
import type { Maintenance } from './maintenance.ts'
import { createMetrics } from './metrics.ts'
import type { Metrics } from './metrics.ts'
import type { Proxies } from './outbound/proxy.ts'
import type { RateLimits } from './rate-limits.ts'
import type { Tracer } from './tracing.ts'
import type { MasterKeys } from './vault/key-stores/master-keys.ts'
import { createTextVault } from './vault/vault.ts'
import type { TextVault } from './vault/vault.ts'
import type { SecretsFor } from './vault/service-secrets.ts'

/** The settings that the service is put together by. */
export interface PlatformConfig {
  environment: 'sandbox' | 'staging_svc' | 'preproduction_svc' | 'production_svc'
  baseUrl: string
  widgetUrl: string
  /** Further origins at which the form is served. */
  widgetAliases: readonly string[]
  dashboardUrl: string
  sandboxHoldSeconds: number
  /** The origin of the sandbox's bank; null: nobody is authenticated there. */
  sandboxBankUrl: string | null
  rateLimits: RateLimits
  /** Addresses and networks whose X-Forwarded-For is trusted. */
  trustedProxies: string[]
  /** The bearer token for /metrics. Without one, callers on this machine or its network may read it. */
  metricsToken: string | undefined
  proxies: Proxies
  /** Whose access tokens are taken; undefined: the service issues them itself. */
  oauthIssuer: string | undefined
}

/** What a process has opened before the service is put together. */
export interface Resources {
  config: PlatformConfig
  /** Of the service. */
  version: string
  /** Which of several processes this is, that share their ports; undefined of a single one. */
  processNumber?: number | undefined
  database: Database
  masterKeys: MasterKeys
  secretsFor: SecretsFor
  log: Logger
  /** How many lines of the log could not be written. */
  droppedLines: () => number
  /** Measures durations, for limits and caches; it never steps. */
  clock: MonotonicClock
  /** Tells the time by the database's clock, and when that clock has stepped. */
  timeOfDay: DatabaseClock
  maintenance: Maintenance
  /** Null where nothing is traced. */
  tracer: Tracer | null
}

/** What every domain is built on; one for each process. */
export interface Platform extends Resources {
  createId: CreateId
  /** Seals secrets that are texts: a webhook's, a gateway's credentials, a kept answer. */
  textVault: TextVault
  metrics: Metrics
}

export function createPlatform(resources: Resources): Platform {
  const metrics = createMetrics(resources.database.connections, resources.processNumber)
  metrics.watchLog(resources.droppedLines)
  return {
    ...resources,
    createId: createIds(resources.timeOfDay),
    textVault: createTextVault(() => resources.masterKeys),
    metrics,
  }
}
