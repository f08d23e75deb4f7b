import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { createChargeStore } from './charges/charge-store.ts'
import { createCharges } from './charges/charges.ts'
import { createMovements } from './charges/movements.ts'
import { createOncePerRequest } from './charges/repeat-request.ts'
import { addMovementRoutes } from './charges/movement-routes.ts'
import { addReadingRoutes } from './charges/reading-routes.ts'
import type { SaleParts } from './charges/sale.ts'
import { releaseEndedHolds, resolveAttempts } from './charges/unfinished-business.ts'
import { countUnknownOutcomes, watchUnknownOutcomes } from './charges/unknown-outcomes.ts'
import type { Config } from './config.ts'
import type { Database } from './database/database.ts'
import { statement } from './database/database.ts'
import type { Gateway } from './gateways/gateway.ts'
import { createGatewayFinder } from './gateways/gateway-finder.ts'
import { openSandbox } from './gateways/sandbox/open-sandbox.ts'
import { admitRequests } from './http/admission.ts'
import { createApp } from './http/app.ts'
import { createAuthenticate } from './http/authenticate.ts'
import type { Authenticate } from './http/authenticate.ts'
import { addHealthRoute } from './http/health-route.ts'
import { watchOverload } from './http/overload.ts'
import { createIds } from './identifiers.ts'
import type { Chore } from './jobs/repeat.ts'
import { createMerchantStore } from './merchants/merchant-store.ts'
import { createMerchants } from './merchants/merchants.ts'
import type { Merchant } from './merchants/merchant.ts'
import type { Merchants } from './merchants/merchants.ts'
import { createMetrics } from './metrics/metrics.ts'
import type { Metrics } from './metrics/metrics.ts'
import { addMetricsRoute } from './metrics/metrics-route.ts'
import { addReferenceRoutes } from './openapi/reference-routes.ts'
import { watchRoutes } from './openapi/routes.ts'
import type { Route } from './openapi/routes.ts'
import { addPaymentSourceRoutes } from './payment-sources/routes.ts'
import { tokenClaim } from './payment-sources/token-claim.ts'
import { createTokenStore } from './payment-sources/token-store.ts'
import { createTokens, tokenNotFound } from './payment-sources/tokens.ts'
import { addFileRoutes } from './sdk-releases/file-routes.ts'
import { addFrameRoutes } from './sdk-releases/frame-routes.ts'
import type { Release } from './sdk-releases/release.ts'
import { createSetupFor } from './sdk-releases/setup-for.ts'
import { createTextVault } from './vault/sealed-text.ts'
import { createVault } from './vault/vault.ts'
import type { MasterKeys } from './vault/master-keys.ts'

/** The service, put together and not yet listening. */
export interface Service {
  app: FastifyInstance
  /** Every route of `app`, with what it says of itself. */
  routes: readonly Route[]
  merchants: Merchants
  /** What is to be done in the background, again and again. */
  chores: readonly Chore[]
}

interface Parts {
  config: Config
  version: string
  /** Every SDK release that is served. */
  releases: readonly Release[]
  database: Database
  masterKeys: MasterKeys
  log: Logger
  clock: () => number
  /** Adapters by the type of gateway they speak to, beside or in place of the built-in ones. */
  gateways?: Readonly<Record<string, Gateway>>
  /** How long a gateway's answer is waited for; an attempt is asked for 8 s after it was written. */
  gatewayTimeoutMs?: number
  /** How long a sale may be under way to a gateway that can't be asked for it, in ms; each adapter knows its own. */
  settleMs?: number
}

const GATEWAY_TIMEOUT_MS = 5000
const ping = statement('ping', 'SELECT 1')

/** The composition root: the one place where every part meets every other. */
export function compose(parts: Parts): Service {
  const { config, database, log, clock } = parts
  const createId = createIds(clock)
  const merchants = createMerchants({
    store: createMerchantStore(database),
    vault: createTextVault(() => parts.masterKeys),
    createId,
    clock,
    environment: config.environment,
  })
  const tokenStore = createTokenStore(database)
  const tokens = createTokens({
    store: tokenStore,
    vault: createVault(parts.masterKeys),
    clock,
    createToken: randomUUID,
    hasGateway: async (merchantId, gatewayId) => (await merchants.gatewayOf(merchantId, gatewayId)) !== null,
  })
  const metrics = createMetrics({
    connections: database.connections,
    unknownOutcomes: () => countUnknownOutcomes(database),
  })
  const chargeParts = composeCharges(
    parts,
    { merchants, metrics },
    {
      createId,
      openToken: tokens.open,
      gatewayOf: merchants.gatewayOf,
      tokenNotFound,
    },
  )
  const charges = createCharges(chargeParts)

  const app = createApp(log, config.trustedProxies)
  const routes = watchRoutes(app)
  metrics.watchRequests(app)
  const authenticate = guard(app, parts, merchants)
  const tokensUrl = `${config.baseUrl}/v1/payment_sources/tokens`
  addHealthRoute(app, { database: () => database.run(ping, []) })
  addMetricsRoute(app, { metrics, token: config.metricsToken })
  addPaymentSourceRoutes(app, { tokens, authenticate, widgetOrigin: new URL(config.widgetUrl).origin })
  addReadingRoutes(app, { charges, authenticate })
  addMovementRoutes(app, { charges, oncePerRequest: createOncePerRequest(chargeParts), authenticate })
  addReferenceRoutes(app, { routes, version: parts.version, baseUrl: config.baseUrl })
  addFileRoutes(app, parts.releases)
  addFrameRoutes(app, parts.releases, {
    widgetUrl: config.widgetUrl,
    tokensUrl,
    setupFor: createSetupFor({ merchants, tokensUrl }),
  })

  const chores = [
    ...chargeChores(parts, chargeParts),
    { name: 'erase expired tokens', everyMs: 60_000, work: tokenStore.eraseExpired },
  ]
  return { app, routes, merchants, chores: chores.map(metrics.watchChore) }
}

/** What stands before every route: how many requests are let in, and whose they are. */
function guard(
  app: FastifyInstance,
  { config, database, clock }: Parts,
  merchants: Merchants,
): Authenticate<Merchant> {
  const limits = config.rateLimits
  const isOverloaded = watchOverload(app, () => database.connections().waiting)
  admitRequests(app, { limits, isOverloaded, clock })
  return createAuthenticate({ merchantOfKey: merchants.ofKey, limits, clock })
}

function chargeChores({ database, log, clock }: Parts, charges: SaleParts): Chore[] {
  const reportUnknown = watchUnknownOutcomes({
    database,
    warn: (unknown) => log.warn(unknown, 'the outcome of a movement is unknown'),
    clock,
  })
  return [
    { name: 'resolve attempts', everyMs: 1000, work: () => resolveAttempts(charges) },
    { name: 'release ended holds', everyMs: 1000, work: () => releaseEndedHolds(charges) },
    { name: 'forget old requests', everyMs: 3_600_000, work: charges.store.forgetRequests },
    { name: 'report unknown outcomes', everyMs: 15_000, work: reportUnknown },
  ]
}

interface Watched {
  merchants: Merchants
  metrics: Metrics
}

function composeCharges(
  parts: Parts,
  watched: Watched,
  others: Omit<SaleParts, 'store' | 'movements'>,
): SaleParts {
  const store = createChargeStore(parts.database, tokenClaim)
  const movements = createMovements({
    store,
    gatewayOf: gatewayFinder(parts, watched),
    timeoutMs: parts.gatewayTimeoutMs ?? GATEWAY_TIMEOUT_MS,
    onFault: (error) => parts.log.error({ err: error }, 'a movement has no outcome yet'),
  })
  return { ...others, store, movements }
}

/** The adapters of this installation; in production the sandbox is not one of them. */
function gatewayFinder(
  { config, database, gateways, log, settleMs }: Parts,
  { merchants, metrics }: Watched,
) {
  const sandbox = openSandbox(database, config.sandboxHoldSeconds)
  return createGatewayFinder({
    adapters: { ...(config.environment !== 'production_svc' && { sandbox }), ...gateways },
    credentialsOf: merchants.credentialsOf,
    returnUrl: config.baseUrl,
    createKey: randomUUID,
    onFault: (error) => log.error({ err: error }, 'a gateway refuses us'),
    watch: metrics.watchGateway,
    settleMs,
  })
}
