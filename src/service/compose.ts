import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { MonotonicClock } from './platform/clocks.ts'
import { createCharges } from './domains/charges/charges.ts'
import { createOncePerRequest } from './domains/charges/repeat-request.ts'
import { addMovementRoutes } from './domains/charges/movement-routes.ts'
import { addReadingRoutes } from './domains/charges/reading-routes.ts'
import { countUnknownOutcomes } from './domains/charges/unknown-outcomes.ts'
import { composeCheckouts } from './compose-checkouts.ts'
import type { Checkouts } from './compose-checkouts.ts'
import { chargeChores, composeCharges } from './compose-charges.ts'
import { composeWebhooks } from './compose-webhooks.ts'
import type { Config } from './config.ts'
import type { Database } from './platform/database/database.ts'
import type { DatabaseClock } from './platform/database/database-clock.ts'
import type { Gateway } from './domains/gateways/gateway.ts'
import { writeEvent } from './domains/events/write-event.ts'
import { admitRequests } from './platform/http/admission.ts'
import { createApp } from './platform/http/app.ts'
import { createAuthenticate } from './platform/http/authenticate.ts'
import type { Authenticate } from './platform/http/authenticate.ts'
import { createFrameAccess } from './platform/http/frame-access.ts'
import { addHealthRoute } from './platform/http/health-route.ts'
import { watchOverload } from './platform/http/overload.ts'
import { createAnswerOnce } from './platform/idempotency/answer-once.ts'
import { createRequestStore } from './platform/idempotency/request-store.ts'
import { createIds } from './platform/identifiers.ts'
import type { Chore } from './platform/jobs/repeat.ts'
import { PUT_RIGHT_MS, whenSteady } from './platform/jobs/when-steady.ts'
import { createMerchantStore } from './domains/merchants/merchant-store.ts'
import { createMerchants } from './domains/merchants/merchants.ts'
import type { Merchant } from './domains/merchants/merchant.ts'
import type { Merchants } from './domains/merchants/merchants.ts'
import { createMetrics } from './platform/metrics/metrics.ts'
import { addMetricsRoute } from './platform/metrics/metrics-route.ts'
import { addReferenceRoutes } from './platform/openapi/reference-routes.ts'
import { watchRoutes } from './platform/openapi/routes.ts'
import type { Route } from './platform/openapi/routes.ts'
import { addPaymentSourceRoutes } from './domains/payment-sources/routes.ts'
import { createTokenStore } from './domains/payment-sources/token-store.ts'
import type { TokenStore } from './domains/payment-sources/token-store.ts'
import { createTokens, tokenNotFound } from './domains/payment-sources/tokens.ts'
import { addCheckoutRoutes } from './domains/sdk-releases/checkout-routes.ts'
import { addFileRoutes } from './domains/sdk-releases/file-routes.ts'
import { addFrameRoutes } from './domains/sdk-releases/frame-routes.ts'
import type { Release } from './domains/sdk-releases/release.ts'
import { createSetupFor } from './domains/sdk-releases/setup-for.ts'
import { createTextVault } from './platform/vault/sealed-text.ts'
import { createVault } from './platform/vault/vault.ts'
import type { MasterKeys } from './platform/vault/master-keys.ts'
import type { SecretsFor } from './platform/vault/service-secrets.ts'

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
  secretsFor: SecretsFor
  log: Logger
  /** Measures durations: limits, what is remembered for a while. */
  clock: MonotonicClock
  /** Tells the date, and whether it can be relied on. */
  timeOfDay: DatabaseClock
  /** Adapters by the type of gateway they speak to, beside or in place of the built-in ones. */
  gateways?: Readonly<Record<string, Gateway>>
  /** How long a gateway's answer is waited for; an attempt is asked for 8 s after it was written. */
  gatewayTimeoutMs?: number
  /** How long a sale may be under way to a gateway that can't be asked for it, in ms; each adapter knows its own. */
  settleMs?: number
  /** How long a merchant's server is waited for when it is told of an event. */
  webhookTimeoutMs?: number
}

/** The composition root: the one place where every part meets every other. */
export function compose(parts: Parts): Service {
  const { config, database, log, clock, timeOfDay } = parts
  const createId = createIds(timeOfDay)
  const merchants = createMerchants({
    store: createMerchantStore(database, { writeEvent, createId, actor: 'service' }),
    vault: createTextVault(() => parts.masterKeys),
    createId,
    clock,
    environment: config.environment,
  })
  const tokenStore = createTokenStore(database)
  const tokens = createTokens({
    store: tokenStore,
    vault: createVault(parts.masterKeys),
    timeOfDay,
    createToken: randomUUID,
    secrets: [...parts.secretsFor('payment-source-token').values()],
    hasGateway: async (merchantId, gatewayId) => (await merchants.gatewayOf(merchantId, gatewayId)) !== null,
  })
  const metrics = createMetrics({
    connections: database.connections,
    unknownOutcomes: () => countUnknownOutcomes(database),
  })
  const others = { createId, openToken: tokens.open, gatewayOf: merchants.gatewayOf, tokenNotFound }
  const chargeParts = composeCharges(parts, { merchants, metrics }, others)
  const charges = createCharges(chargeParts)
  const { store } = chargeParts
  const checkouts = composeCheckouts({ ...parts, createId, merchants, tokens, store, sell: charges.sell })

  const app = createApp(log, config.trustedProxies)
  const routes = watchRoutes(app)
  metrics.watchRequests(app)
  const authenticate = guard(app, parts, merchants)
  const requestStore = createRequestStore(database)
  const answerOnce = createAnswerOnce({ store: requestStore, vault: createTextVault(() => parts.masterKeys) })
  const frameAccess = createFrameAccess(new URL(config.widgetUrl).origin)
  const tokensUrl = `${config.baseUrl}/v1/payment_sources/tokens`
  addHealthRoute(app, { database: () => database.check() })
  addMetricsRoute(app, { metrics, token: config.metricsToken })
  addPaymentSourceRoutes(app, { tokens, authenticate, frameAccess, tokeniserOf: checkouts.tokeniserOf })
  checkouts.addRoutes(app, { authenticate, answerOnce, frameAccess })
  addReadingRoutes(app, { charges, authenticate })
  addMovementRoutes(app, { charges, oncePerRequest: createOncePerRequest(chargeParts), authenticate })
  addReferenceRoutes(app, { routes, version: parts.version, baseUrl: config.baseUrl })
  addReleaseRoutes(app, parts, { merchants, tokensUrl, viewOf: checkouts.viewOf })

  const chores = [
    ...chargeChores(parts, chargeParts, metrics),
    ...checkouts.chores,
    ...composeWebhooks(app, { ...parts, createId, chargeStore: store, authenticate, answerOnce, metrics }),
    {
      name: 'forget kept answers',
      everyMs: 3_600_000,
      work: whenSteady(timeOfDay, PUT_RIGHT_MS, requestStore.forgetOld),
    },
    eraseTokens(timeOfDay, tokenStore),
    { name: "follow the database's clock", everyMs: 1000, work: timeOfDay.refresh },
  ]
  return { app, routes, merchants, chores: chores.map(metrics.watchChore) }
}

/** What a page loads: the SDK's files, the card form and the checkout. */
function addReleaseRoutes(
  app: FastifyInstance,
  { config, releases }: Parts,
  { merchants, tokensUrl, viewOf }: { merchants: Merchants; tokensUrl: string; viewOf: Checkouts['viewOf'] },
): void {
  const { widgetUrl } = config
  addFileRoutes(app, releases)
  addFrameRoutes(app, releases, { widgetUrl, tokensUrl, setupFor: createSetupFor({ merchants, tokensUrl }) })
  addCheckoutRoutes(app, releases, { ...config, tokensUrl, viewOf })
}

function eraseTokens(timeOfDay: DatabaseClock, store: Pick<TokenStore, 'eraseExpired'>): Chore {
  const work = whenSteady(timeOfDay, PUT_RIGHT_MS, store.eraseExpired)
  return { name: 'erase expired tokens', everyMs: 60_000, work }
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
  return createAuthenticate({
    merchantOfKey: merchants.ofKey,
    isRevoked: merchants.keys.isRevoked,
    limits,
    clock,
  })
}
