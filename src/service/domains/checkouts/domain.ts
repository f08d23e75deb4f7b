import { WORKFLOW_VERSIONS } from '../../../contract/api/workflow-versions.ts'
import type { Language } from '../../../contract/page/widget-appearance.ts'
import type { Domain } from '../../platform/domain.ts'
import type { Job } from '../../platform/jobs/repeat.ts'
import { PUT_RIGHT_MS, whenSteady } from '../../platform/jobs/when-steady.ts'
import type { Platform } from '../../platform/platform.ts'
import { createCheckoutResources } from './intents/checkout-resource.ts'
import { createIntentPaymentStore } from './intents/intent-payment-store.ts'
import type { IntentPaymentStore } from './intents/intent-payment-store.ts'
import { createIntentStore } from './intents/intent-store.ts'
import type { IntentStore } from './intents/intent-store.ts'
import { createIntentTokens } from './paying/intent-tokens.ts'
import { createIntents } from './intents/intents.ts'
import type { Workflows } from './intents/intents.ts'
import { addIntentRoutes } from './intents/intent-routes.ts'
import { addPayerRoutes } from './paying/payer-routes.ts'
import { createPayers } from './paying/payers.ts'
import type { Payers } from './paying/payers.ts'
import { createPayIntent } from './paying/pay-intent.ts'
import type { PayParts } from './paying/pay-intent.ts'
import { createSyncWithCharge, syncAllWithCharges } from './intents/sync-with-charge.ts'
import type { SyncWithCharge, SyncParts } from './intents/sync-with-charge.ts'
import { signingKeysOf } from './paying/signing-keys.ts'
import { addTemplateRoutes } from './templates/template-routes.ts'
import { createTemplateStore } from './templates/template-store.ts'
import { createTemplates } from './templates/templates.ts'

interface Needs extends Pick<PayParts, 'pay' | 'hashOf' | 'cardOf'>, Pick<SyncParts, 'paymentOf'> {
  merchants: {
    find: (id: string) => Promise<CheckoutMerchant | null>
    gatewayOf: (merchantId: string, gatewayId: string) => Promise<object | null>
  }
  recommendedRelease: Workflows['recommendedRelease']
}

interface CheckoutMerchant {
  id: string
  name: string
  preAuth: boolean
  /** Origins of the pages that may show its checkouts; empty: any page. */
  allowedOrigins: readonly string[]
}

/** What the document of an intent is made from. */
interface CheckoutView {
  id: string
  /** Origins whose pages may show it (`frame-ancestors`); empty: any page. */
  ancestors: readonly string[] | 'nobody'
  language: Language | undefined
}

export interface CheckoutsApi extends Pick<Payers, 'tokeniserOf'> {
  /** Null for an intent that is not known. */
  viewOf: (intentId: string) => Promise<CheckoutView | null>
}

/** Checkout intents, their templates, and the pages that pay them. */
export function checkoutsDomain(platform: Platform, needs: Needs): Domain<CheckoutsApi> {
  const { config, database, createId, secretsFor } = platform
  const { merchants, recommendedRelease } = needs
  const workflows = { known: WORKFLOW_VERSIONS, recommendedRelease }
  const store = createIntentStore(database)
  const payments = createIntentPaymentStore(database)
  const syncWithCharge = createSyncWithCharge({ store, payments, paymentOf: needs.paymentOf })
  const tokens = createIntentTokens({
    keys: signingKeysOf(secretsFor('checkout-token')),
    issuer: config.baseUrl,
  })
  const templates = createTemplates({
    store: createTemplateStore(database),
    createId,
    hasGateway: async (merchantId, gatewayId) => (await merchants.gatewayOf(merchantId, gatewayId)) !== null,
  })
  const intents = createIntents({ store, templates, workflows, syncWithCharge, createId })
  const payers = createPayers({ tokens, store, syncWithCharge })
  const payIntent = createPayIntent({ ...needs, store, payments, syncWithCharge, merchantOf: merchants.find })
  const resources = createCheckoutResources({ tokenOf: tokens.tokenOf, recommendedRelease })
  const nameOf = async (merchantId: string) => (await merchants.find(merchantId))?.name ?? ''
  return {
    api: { tokeniserOf: payers.tokeniserOf, viewOf: createViewOf(store, merchants.find) },
    addRoutes(app, access) {
      addIntentRoutes(app, { intents, resources, workflows, ...access })
      addTemplateRoutes(app, { templates, ...access })
      addPayerRoutes(app, { payers, payIntent, nameOf, ...access })
    },
    jobs: checkoutJobs(platform, { store, payments, syncWithCharge }),
  }
}

function createViewOf(
  { find }: Pick<IntentStore, 'find'>,
  merchantOf: Needs['merchants']['find'],
): CheckoutsApi['viewOf'] {
  return async (intentId) => {
    const intent = await find(intentId)
    if (intent === null) return null
    const ancestors = (await merchantOf(intent.merchantId))?.allowedOrigins ?? 'nobody'
    return { id: intent.id, ancestors, language: intent.customisation.content.language }
  }
}

function checkoutJobs(
  { timeOfDay }: Platform,
  {
    store,
    payments,
    syncWithCharge,
  }: { store: IntentStore; payments: IntentPaymentStore; syncWithCharge: SyncWithCharge },
): Job[] {
  const whenPutRight = (work: () => Promise<void>) => whenSteady(timeOfDay, PUT_RIGHT_MS, work)
  return [
    {
      name: 'sync checkouts with charges',
      everyMs: 1000,
      work: () => syncAllWithCharges(payments, syncWithCharge),
    },
    { name: 'expire checkouts', everyMs: 1000, work: whenPutRight(store.expire) },
    { name: 'forget old checkout requests', everyMs: 3_600_000, work: whenPutRight(store.forgetRequests) },
  ]
}
