import type {
  CheckoutResource,
  CheckoutWithJourney,
} from '../../../contract/api/checkouts/checkout-resource.ts'
import { frameHtml } from '../../../contract/page/frame-html.ts'
import { toAmount } from '../../platform/money.ts'
import type { CheckoutsDeps } from './deps.ts'
import { takesCards } from './intent.ts'
import type { Intent, JourneyStep } from './intent.ts'
import { shapeOf, tokenOf } from './intent-tokens.ts'

type ResourceDeps = Pick<CheckoutsDeps, 'tokenKeys' | 'recommendedRelease'>

/** An intent → its wire form (contract §4.1, "Checkout"), with its token while it takes cards. */
export async function toCheckoutResource(deps: ResourceDeps, intent: Intent): Promise<CheckoutResource> {
  const token = takesCards(intent) ? await tokenOf(deps.tokenKeys, intent) : null
  return {
    ...toListedCheckout(deps, intent),
    token,
    recommended_sdk_frame_html: token && frameOf(deps, intent),
  }
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
    statement_descriptor: intent.statementDescriptor,
    metadata: { ...intent.metadata },
    return_url: intent.returnUrl,
    created_at: intent.createdAt.toISOString(),
    updated_at: intent.updatedAt.toISOString(),
    token: null,
    recommended_sdk_version_url: release?.url ?? null,
    recommended_sdk_version_integrity: release?.integrity ?? null,
    recommended_sdk_frame_html: null,
  }
}

/** Heights of the checkout as it is built, in px: with a description of one line, and without one. */
const HEIGHT = { described: 449, plain: 428 }
/** By how much it is lower with the card in one box of two lines, which a page of usual width has room for. */
const LOWER_IN_LINE = 42

/** The iframe that shows an intent, for the page's own HTML; null where the SDK that the page should load adopts none. */
function frameOf({ recommendedRelease }: ResourceDeps, intent: Intent): string | null {
  const release = recommendedRelease(intent.workflowVersion)
  if (release === null || !release.adoptsForms) return null
  const { language, description, form } = shapeOf(intent)
  return frameHtml({
    ...release,
    document: 'checkout',
    query: { intent_id: intent.id, language },
    height:
      (description > 0 ? HEIGHT.described : HEIGHT.plain) - (form?.layout === 'line' ? LOWER_IN_LINE : 0),
    isCustomised: form !== undefined,
  })
}

function toStep({ step, at, chargeId, code }: JourneyStep): CheckoutWithJourney['journey'][number] {
  return { step, at: at.toISOString(), charge_id: chargeId, code }
}
