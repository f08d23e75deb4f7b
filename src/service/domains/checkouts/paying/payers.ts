import { ServiceError } from '../../../platform/errors.ts'
import type { PageCredentials } from '../../../platform/http/callers/page-credentials.ts'
import type { IntentStore } from '../intents/intent-store.ts'
import { tokenExpired, tokenRefused } from './intent-tokens.ts'
import type { IntentTokens } from './intent-tokens.ts'
import { checkoutExpired, LIFETIME_SECONDS, takesCards } from '../intents/intent.ts'
import type { Intent } from '../intents/intent.ts'
import type { SyncWithCharge } from '../intents/sync-with-charge.ts'

/**
 * Whoever comes with an intent's token. Throws `unauthorized` or `token_expired` for what is no good token, `forbidden`
 * for one in the document of another intent.
 */
export interface Payers {
  intentOf: (credentials: PageCredentials) => Promise<Intent>
  /** The same, noted in the journey. */
  view: (credentials: PageCredentials) => Promise<Intent>
  /** For whom a card is tokenised: the intent's merchant and gateway; null without a bearer token. */
  tokeniserOf: (credentials: PageCredentials) => Promise<{ merchantId: string; gatewayId: string } | null>
}

const TOKEN_LIFETIME_MS = LIFETIME_SECONDS * 1000
/** How long a page that paid in time may go on asking whether it did. */
const GRACE_MS = 3_600_000

interface Parts {
  tokens: Pick<IntentTokens, 'verify'>
  store: Pick<IntentStore, 'find' | 'view'>
  syncWithCharge: SyncWithCharge
}

export function createPayers({ tokens, store, syncWithCharge }: Parts): Payers {
  const intentOf = async ({ token, documentOf }: PageCredentials): Promise<Intent> => {
    if (token === null) {
      throw new ServiceError('unauthorized', 'Send the checkout token as Authorization: Bearer TOKEN.', {
        challenge: 'Bearer',
      })
    }
    const intentId = await tokens.verify(token)
    refuseDocumentOfAnother(documentOf, intentId)
    const found = await store.find(intentId)
    if (found === null) throw tokenRefused()
    if (found.ageMs >= TOKEN_LIFETIME_MS + GRACE_MS) throw tokenExpired()
    const intent = await syncWithCharge(found)
    // A payer whose money has moved, or may have, is never told that the time is over.
    if (intent.ageMs >= TOKEN_LIFETIME_MS && intent.chargeId === null) throw tokenExpired()
    return intent
  }
  return {
    intentOf,
    async view(credentials) {
      const intent = await intentOf(credentials)
      return intent.journey.some(({ step }) => step === 'viewed')
        ? intent
        : ((await store.view(intent.id)) ?? intent)
    },
    async tokeniserOf(credentials) {
      if (credentials.token === null) return null
      const intent = await intentOf(credentials)
      const { merchantId, status, configuration } = intent
      if (status === 'expired') throw checkoutExpired()
      // The page then reads the checkout again, and says what has become of it.
      if (!takesCards(intent)) {
        const state = status === 'active' ? 'has no tries left' : `is ${status}`
        throw new ServiceError('forbidden', `The checkout ${state}: it takes no more cards.`)
      }
      return { merchantId, gatewayId: configuration.content.gateway_id ?? 'default' }
    },
  }
}

/**
 * Which pages may show a document is decided by the intent in its address (`frame-ancestors`), and the document names that
 * intent in all that it asks. A page that may show one must not show another by giving it the other's token. A server,
 * which is no document, names none.
 */
function refuseDocumentOfAnother(documentOf: string | undefined, intentId: string): void {
  if (documentOf === undefined || documentOf === intentId) return
  throw new ServiceError(
    'forbidden',
    'The checkout token is for another intent than intent_id in the address. Open the checkout with its own token.',
  )
}
