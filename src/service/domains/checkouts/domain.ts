import type { CheckoutWithJourney } from '../../../contract/api/checkouts/checkout-resource.ts'
import { WORKFLOW_VERSIONS } from '../../../contract/api/checkouts/workflow-versions.ts'
import type { Domain } from '../../platform/domain.ts'
import type { Platform } from '../../platform/platform.ts'
import type { WriteEvent } from '../../platform/write-event.ts'
import { createCheckoutResources } from './intents/checkout-resource.ts'
import type { CheckoutResources } from './intents/checkout-resource.ts'
import { createIntentPaymentStore } from './intents/intent-payment-store.ts'
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
import { createSyncWithCharge } from './intents/sync-with-charge.ts'
import type { SyncParts } from './intents/sync-with-charge.ts'
import { checkoutJobs } from './jobs.ts'
import { createViewOf } from './paying/checkout-view.ts'
import type { ViewOf } from './paying/checkout-view.ts'
import { signingKeysOf } from './paying/signing-keys.ts'
import { addTemplateRoutes } from './templates/template-routes.ts'
import { createTemplateStore } from './templates/template-store.ts'
import { createTemplates } from './templates/templates.ts'
import { createListUses } from './templates/template-uses.ts'
import { addUseRoutes } from './templates/use-routes.ts'

interface Needs extends Pick<PayParts, 'pay' | 'hashOf' | 'cardOf'>, Pick<SyncParts, 'paymentOf'> {
  writeEvent: WriteEvent
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

export interface CheckoutsApi extends Pick<Payers, 'tokeniserOf'> {
  viewOf: ViewOf
  /** The checkout of an event on the wire, as it was right after it. */
  asOfEvent: (event: { id: string; subject: string }) => Promise<CheckoutWithJourney>
}

/** Checkout intents, their templates, and the pages that pay them. */
export function checkoutsDomain(platform: Platform, needs: Needs): Domain<CheckoutsApi> {
  const { config, database, createId, secretsFor } = platform
  const { merchants, recommendedRelease } = needs
  const workflows = { known: WORKFLOW_VERSIONS, recommendedRelease }
  const written = { writeEvent: needs.writeEvent, createId }
  const store = createIntentStore(database, written)
  const payments = createIntentPaymentStore(database, written)
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
    api: {
      tokeniserOf: payers.tokeniserOf,
      viewOf: createViewOf({ store, merchantOf: merchants.find }),
      asOfEvent: endedIntentBy(store, resources),
    },
    addMerchantRoutes(app, access) {
      addIntentRoutes(app, { intents, resources, workflows, ...access })
      addTemplateRoutes(app, { templates, ...access })
    },
    addRoutes: (app, access) => addPayerRoutes(app, { payers, payIntent, nameOf, ...access }),
    addDashboardRoutes: (app, access) =>
      addUseRoutes(app, { templates, listUses: createListUses(database), ...access }),
    jobs: checkoutJobs(platform.timeOfDay, { store, payments, syncWithCharge }),
  }
}

/** Every event of a checkout is its end, and nothing changes after it: so the current state is shown. */
const endedIntentBy =
  (
    { find }: Pick<IntentStore, 'find'>,
    { withJourney }: Pick<CheckoutResources, 'withJourney'>,
  ): CheckoutsApi['asOfEvent'] =>
  async ({ id, subject }) => {
    const intent = await find(subject)
    if (intent === null || intent.status === 'active')
      throw new Error(`event ${id} is of no checkout that has ended`)
    return withJourney(intent)
  }
