import type {
  CheckoutResource,
  CheckoutWithJourney,
} from '../../../contract/api/checkouts/checkout-resource.ts'
import { toAmount } from '../../platform/money.ts'
import type { CheckoutsDeps } from './deps.ts'
import { takesCards } from './intent.ts'
import type { Intent, JourneyStep } from './intent.ts'
import { tokenOf } from './intent-tokens.ts'

type ResourceDeps = Pick<CheckoutsDeps, 'tokenKeys' | 'recommendedRelease'>

/** An intent → its wire form (contract §4.1, "Checkout"), with its token while it takes cards. */
export async function toCheckoutResource(deps: ResourceDeps, intent: Intent): Promise<CheckoutResource> {
  const token = takesCards(intent) ? await tokenOf(deps.tokenKeys, intent) : null
  return { ...toListedCheckout(deps, intent), token }
}

export async function toCheckoutWithJourney(
  deps: ResourceDeps,
  intent: Intent,
): Promise<CheckoutWithJourney> {
  return {
    ...(await toCheckoutResource(deps, intent)),
    expires_at: intent.expiresAt.toISOString(),
    charge_id: intent.status === 'completed' ? intent.chargeId : null,
    journey: intent.journey.map(toStep),
  }
}

/** Without a token: a list of tokens would be a list of keys. */
export function toListedCheckout(
  { recommendedRelease }: Pick<ResourceDeps, 'recommendedRelease'>,
  intent: Intent,
): CheckoutResource {
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

function toStep({ step, at, chargeId, code }: JourneyStep): CheckoutWithJourney['journey'][number] {
  return { step, at: at.toISOString(), charge_id: chargeId, code }
}
