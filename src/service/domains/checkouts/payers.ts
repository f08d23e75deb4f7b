import type { Language } from '../../../contract/page/widget-appearance.ts'
import { ServiceError } from '../../platform/errors.ts'
import type { PageCredentials } from '../../platform/http/callers/page-credentials.ts'
import type { CheckoutsDeps } from './deps.ts'
import { checkoutExpired, LIFETIME_SECONDS, takesCards } from './intent.ts'
import type { Intent } from './intent.ts'
import { findIntent, noteViewed } from './intent-store.ts'
import { tokenExpired, tokenRefused, verifyToken } from './intent-tokens.ts'
import { syncWithCharge } from './sync-with-charge.ts'

const TOKEN_LIFETIME_MS = LIFETIME_SECONDS * 1000
/** How long a page that paid in time may go on asking for the result. */
const GRACE_MS = 3_600_000

/**
 * The intent that a page's token opens. Throws `unauthorized` or `token_expired` for a token that is not good, and `forbidden` for a good
 * token that the document of another intent sends.
 */
export async function intentOfPage(deps: CheckoutsDeps, credentials: PageCredentials): Promise<Intent> {
  const intent = await openedIntent(deps, credentials)
  if (isTimeOver(intent)) throw tokenExpired()
  return intent
}

/** A payer whose money has moved, or may have, is never told that the time is over. */
function isTimeOver({ ageMs, chargeId }: Intent): boolean {
  return ageMs >= TOKEN_LIFETIME_MS && chargeId === null
}

/** The same, also for an hour after that. */
async function openedIntent(deps: CheckoutsDeps, { token, documentOf }: PageCredentials): Promise<Intent> {
  if (token === null) {
    throw new ServiceError('unauthorized', 'Send the checkout token as Authorization: Bearer TOKEN.', {
      challenge: 'Bearer',
    })
  }
  const intentId = await verifyToken(deps.tokenKeys, token)
  refuseDocumentOfAnother(documentOf, intentId)
  const found = await findIntent(deps.database, intentId)
  if (found === null) throw tokenRefused()
  if (found.ageMs >= TOKEN_LIFETIME_MS + GRACE_MS) throw tokenExpired()
  return syncWithCharge(deps, found)
}

/** The same, noted in the journey. An intent whose time is over is shown as it ended: nobody can pay it any more. */
export async function viewIntent(deps: CheckoutsDeps, credentials: PageCredentials): Promise<Intent> {
  const intent = await openedIntent(deps, credentials)
  if (isTimeOver(intent)) return intent.status === 'active' ? { ...intent, status: 'expired' } : intent
  if (intent.journey.some(({ step }) => step === 'viewed')) return intent
  return (await noteViewed(deps.database, intent.id)) ?? intent
}

/** For which merchant and gateway a page makes a card a token; null without a checkout token. */
export async function tokeniserOf(
  deps: CheckoutsDeps,
  credentials: PageCredentials,
): Promise<{ merchantId: string; gatewayId: string } | null> {
  if (credentials.token === null) return null
  const intent = await intentOfPage(deps, credentials)
  const { merchantId, status, configuration } = intent
  if (status === 'expired') throw checkoutExpired()
  // The page then reads the checkout again, and shows its state.
  if (!takesCards(intent)) {
    const state = status === 'active' ? 'has no tries left' : `is ${status}`
    throw new ServiceError('forbidden', `The checkout ${state}: it takes no more cards.`)
  }
  return { merchantId, gatewayId: configuration.content.gateway_id ?? 'default' }
}

/**
 * The intent in a document's address decides which pages may show the document (`frame-ancestors`), and the document names it in every
 * request. A page that may show one intent must not show another by passing the other's token. A server has no document, and
 * names none.
 */
function refuseDocumentOfAnother(documentOf: string | undefined, intentId: string): void {
  if (documentOf === undefined || documentOf === intentId) return
  throw new ServiceError(
    'forbidden',
    'The checkout token is for another intent than intent_id in the address. Open the checkout with its own token.',
  )
}

/** What the document of an intent is made from. */
export interface CheckoutView {
  id: string
  /** Origins whose pages may show it (`frame-ancestors`); empty: any page. */
  ancestors: readonly string[] | 'nobody'
  language: Language | undefined
}

/** Null for an unknown intent. */
export async function viewOf(
  { database, merchants }: CheckoutsDeps,
  intentId: string,
): Promise<CheckoutView | null> {
  const intent = await findIntent(database, intentId)
  if (intent === null) return null
  const ancestors = (await merchants.find(intent.merchantId))?.allowedOrigins ?? 'nobody'
  return { id: intent.id, ancestors, language: intent.customisation.content.language }
}
