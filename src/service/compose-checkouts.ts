import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Language } from '../contract/page/widget-appearance.ts'
import { WORKFLOW_VERSIONS } from '../contract/api/workflow-versions.ts'
import type { ChargeStore } from './domains/charges/charge-store.ts'
import { createPayments } from './domains/charges/payments.ts'
import type { Sell } from './domains/charges/sale.ts'
import { createCheckoutResources } from './domains/checkouts/checkout-resource.ts'
import { createIntentStore } from './domains/checkouts/intent-store.ts'
import { createIntentTokens } from './domains/checkouts/intent-tokens.ts'
import { createIntents } from './domains/checkouts/intents.ts'
import { addIntentRoutes } from './domains/checkouts/merchant-routes.ts'
import { addPayerRoutes } from './domains/checkouts/payer-routes.ts'
import { createPayers } from './domains/checkouts/payers.ts'
import { createPayIntent } from './domains/checkouts/payments.ts'
import { createSettle, settleAll } from './domains/checkouts/settle.ts'
import { signingKeysOf } from './domains/checkouts/signing-keys.ts'
import { addTemplateRoutes } from './domains/checkouts/template-routes.ts'
import { createTemplateStore } from './domains/checkouts/template-store.ts'
import { createTemplates } from './domains/checkouts/templates.ts'
import type { Config } from './config.ts'
import type { Database } from './platform/database/database.ts'
import type { DatabaseClock } from './platform/database/database-clock.ts'
import type { Authenticate } from './platform/http/authenticate.ts'
import type { FrameAccess } from './platform/http/frame-access.ts'
import type { AnswerOnce } from './platform/idempotency/answer-once.ts'
import type { CreateId } from './platform/identifiers.ts'
import type { Chore } from './platform/jobs/repeat.ts'
import { PUT_RIGHT_MS, whenSteady } from './platform/jobs/when-steady.ts'
import type { Merchant } from './domains/merchants/merchant.ts'
import type { Merchants } from './domains/merchants/merchants.ts'
import { tokenHashOf } from './domains/payment-sources/token-hash.ts'
import type { Tokens } from './domains/payment-sources/tokens.ts'
import type { Release } from './domains/sdk-releases/release.ts'
import type { Ancestors } from './domains/sdk-releases/content-security-policy.ts'
import { createSdkFor } from './domains/sdk-releases/sdk-for.ts'
import type { SecretsFor } from './platform/vault/service-secrets.ts'

interface Parts {
  config: Config
  database: Database
  secretsFor: SecretsFor
  timeOfDay: DatabaseClock
  createId: CreateId
  merchants: Merchants
  tokens: Pick<Tokens, 'open'>
  store: Pick<ChargeStore, 'find'>
  sell: Sell
  releases: readonly Release[]
}

export interface Checkouts {
  /** For whom a page with a checkout's token tokenises. */
  tokeniserOf: (request: FastifyRequest) => Promise<{ merchantId: string; gatewayId: string } | null>
  addRoutes: (
    app: FastifyInstance,
    access: { authenticate: Authenticate<Merchant>; answerOnce: AnswerOnce; frameAccess: FrameAccess },
  ) => void
  /** What the document that shows an intent has to know of it; null for one that is not known. */
  viewOf: (
    intentId: string,
  ) => Promise<{ id: string; ancestors: Ancestors; language: Language | undefined } | null>
  chores: readonly Chore[]
}

/** Checkouts, put together with what they need of the other domains. */
export function composeCheckouts(parts: Parts): Checkouts {
  const { config, database, createId, merchants } = parts
  const payments = createPayments(parts)
  const recommendedRelease = createSdkFor({ ...config, releases: parts.releases })
  const workflows = { known: WORKFLOW_VERSIONS, recommendedRelease }
  const store = createIntentStore(database)
  const settle = createSettle({ store, paymentOf: payments.paymentOf })
  const intentTokens = createIntentTokens({
    keys: signingKeysOf(parts.secretsFor('checkout-token')),
    issuer: config.baseUrl,
  })
  const templates = createTemplates({
    store: createTemplateStore(database),
    createId,
    hasGateway: async (merchantId, gatewayId) => (await merchants.gatewayOf(merchantId, gatewayId)) !== null,
  })
  const intents = createIntents({ store, templates, workflows, settle, createId })
  const payers = createPayers({ tokens: intentTokens, store, settle })
  const payIntent = createPayIntent({
    store,
    settle,
    merchantOf: merchants.find,
    hashOf: tokenHashOf,
    cardOf: cardReader(parts.tokens),
    pay: payments.pay,
  })
  const resources = createCheckoutResources({
    tokenOf: intentTokens.tokenOf,
    recommendedRelease,
  })
  const whenPutRight = (work: () => Promise<void>) => whenSteady(parts.timeOfDay, PUT_RIGHT_MS, work)
  const nameOf = async (merchantId: string) => (await merchants.find(merchantId))?.name ?? ''
  return {
    tokeniserOf: payers.tokeniserOf,
    async viewOf(intentId) {
      const intent = await store.find(intentId)
      if (intent === null) return null
      const ancestors = (await merchants.find(intent.merchantId))?.allowedOrigins ?? 'nobody'
      return { id: intent.id, ancestors, language: intent.customisation.content.language }
    },
    addRoutes(app, { authenticate, answerOnce, frameAccess }) {
      addIntentRoutes(app, { intents, resources, workflows, authenticate, answerOnce })
      addTemplateRoutes(app, { templates, authenticate, answerOnce })
      addPayerRoutes(app, { payers, payIntent, nameOf, frameAccess })
    },
    chores: [
      { name: 'settle checkouts', everyMs: 1000, work: () => settleAll(store, settle) },
      { name: 'expire checkouts', everyMs: 1000, work: whenPutRight(store.expire) },
      { name: 'forget old checkout requests', everyMs: 3_600_000, work: whenPutRight(store.forgetRequests) },
    ],
  }
}

/** What a checkout may know of a card: never its number or code. */
function cardReader({ open }: Pick<Tokens, 'open'>) {
  return async (merchantId: string, paymentSource: string) => {
    const { facts, gatewayId } = await open(merchantId, paymentSource)
    return { scheme: facts.card_scheme, gatewayId, given: { ...facts.holder, card_name: facts.card_name } }
  }
}
