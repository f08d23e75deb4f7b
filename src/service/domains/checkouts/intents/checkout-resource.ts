import type {
  CheckoutResource,
  CheckoutWithJourney,
} from '../../../../contract/api/checkouts/checkout-resource.ts'
import { toAmount } from '../../../platform/money.ts'
import type { IntentTokens } from '../paying/intent-tokens.ts'
import { takesCards } from './intent.ts'
import type { Intent, JourneyStep } from './intent.ts'
import type { Workflows } from './intents.ts'

interface Parts {
  tokenOf: IntentTokens['tokenOf']
  recommendedRelease: Workflows['recommendedRelease']
}

/** Turns intents into their wire form (contract §4.1, "Checkout"). */
export interface CheckoutResources {
  /** With its token while it takes cards. */
  one: (intent: Intent) => Promise<CheckoutResource>
  withJourney: (intent: Intent) => Promise<CheckoutWithJourney>
  /** Without a token: a list of them would be a list of keys. */
  listed: (intent: Intent) => CheckoutResource
}

export function createCheckoutResources({ tokenOf, recommendedRelease }: Parts): CheckoutResources {
  const one = async (intent: Intent): Promise<CheckoutResource> => ({
    ...listed(intent),
    token: takesCards(intent) ? await tokenOf(intent) : null,
  })
  return {
    one,
    listed,
    withJourney: async (intent) => ({
      ...(await one(intent)),
      expires_at: intent.expiresAt.toISOString(),
      charge_id: intent.status === 'completed' ? intent.chargeId : null,
      journey: intent.journey.map(toStep),
    }),
  }

  function listed(intent: Intent): CheckoutResource {
    const release = recommendedRelease(intent.workflowVersion)
    return {
      _id: intent.id,
      version: intent.workflowVersion,
      status: intent.status,
      amount: toAmount(intent.amount),
      currency: intent.currency,
      reference: intent.reference,
      description: intent.description,
      created_at: intent.createdAt.toISOString(),
      updated_at: intent.updatedAt.toISOString(),
      token: null,
      recommended_sdk_version_url: release?.url ?? null,
      recommended_sdk_version_integrity: release?.integrity ?? null,
    }
  }
}

function toStep({ step, at, chargeId, code }: JourneyStep): CheckoutWithJourney['journey'][number] {
  return { step, at: at.toISOString(), charge_id: chargeId, code }
}
