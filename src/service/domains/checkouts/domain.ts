import type { CheckoutWithJourney } from '../../../contract/api/checkouts/checkout-resource.ts'
import type { Domain } from '../../platform/domain.ts'
import type { PageCredentials } from '../../platform/http/callers/page-credentials.ts'
import type { Platform } from '../../platform/platform.ts'
import { toCheckoutWithJourney } from './checkout-resource.ts'
import type { CheckoutsDeps } from './deps.ts'
import { findIntent, expireIntents, forgetRequests } from './intent-store.ts'
import { tokenKeysOf } from './intent-tokens.ts'
import type { Job } from '../../platform/jobs/job.ts'
import { workInBatches } from '../../platform/jobs/batches.ts'
import { isSteady, PUT_RIGHT_MS, whenSteady } from '../../platform/jobs/when-steady.ts'
import { syncAllWithCharges } from './sync-with-charge.ts'
import { addPayerRoutes } from './payer-routes.ts'
import { tokeniserOf, viewOf } from './payers.ts'
import type { CheckoutView } from './payers.ts'
import { addIntentRoutes } from './routes.ts'
import { addTemplateRoutes, addTemplateUseRoute } from './template-routes.ts'

interface CheckoutsApi {
  /** For which merchant and gateway a page makes a card a token; null without a checkout token. */
  tokeniserOf: (credentials: PageCredentials) => Promise<{ merchantId: string; gatewayId: string } | null>
  /** What the document of an intent is made from; null for an unknown intent. */
  viewOf: (intentId: string) => Promise<CheckoutView | null>
  /** The wire form of an event's checkout, as it was right after the event. */
  asOfEvent: (event: { id: string; subject: string }) => Promise<CheckoutWithJourney>
}

/** Checkout intents, their templates, and the pages that pay them. */
export function checkoutsDomain(
  { config, database, createId, secretsFor, timeOfDay }: Platform,
  needs: Omit<CheckoutsDeps, 'database' | 'createId' | 'tokenKeys'>,
): Domain<CheckoutsApi> {
  const tokenKeys = tokenKeysOf(secretsFor('checkout-token'), config.baseUrl)
  const deps: CheckoutsDeps = { ...needs, database, createId, tokenKeys }
  return {
    api: {
      tokeniserOf: (credentials) => tokeniserOf(deps, credentials),
      viewOf: (intentId) => viewOf(deps, intentId),
      async asOfEvent({ id, subject }) {
        const intent = await findIntent(database, subject)
        // Each event of a checkout is its end, and nothing changes after it: so the current state is shown.
        if (intent === null || intent.status === 'active')
          throw new Error(`event ${id} is of no checkout that has ended`)
        return toCheckoutWithJourney(deps, intent)
      },
    },
    addMerchantRoutes(app, access) {
      addIntentRoutes(app, deps, access)
      addTemplateRoutes(app, deps, access)
    },
    addRoutes: (app, access) => addPayerRoutes(app, deps, access),
    addDashboardRoutes: (app, access) => addTemplateUseRoute(app, deps, access),
    jobs: checkoutJobs(deps, timeOfDay),
  }
}

/** The work on intents that no request does. */
function checkoutJobs(deps: CheckoutsDeps, timeOfDay: Platform['timeOfDay']): Job[] {
  const forgetting = workInBatches([() => forgetRequests(deps.database)])
  return [
    {
      name: 'sync checkouts with charges',
      everyMs: 1000,
      work: () => syncAllWithCharges(deps),
    },
    {
      name: 'expire checkouts',
      everyMs: 1000,
      work: () => expireIntents(deps, () => isSteady(timeOfDay, PUT_RIGHT_MS)),
    },
    {
      name: 'forget old checkout requests',
      everyMs: 3_600_000,
      work: whenSteady(timeOfDay, PUT_RIGHT_MS, forgetting.work),
      abort: forgetting.abort,
    },
  ]
}
