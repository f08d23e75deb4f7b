import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../errors.ts'
import { bearerOf } from '../http/bearer.ts'
import type { IntentStore } from './intent-store.ts'
import { tokenExpired, tokenRefused } from './intent-tokens.ts'
import type { IntentTokens } from './intent-tokens.ts'
import { checkoutExpired, LIFETIME_SECONDS } from './intent.ts'
import type { Intent } from './intent.ts'
import type { Settle } from './settle.ts'

/** Whoever comes with an intent's token. Throws `unauthorized` or `token_expired` for what is no good token. */
export interface Payers {
  intentOf: (request: FastifyRequest) => Promise<Intent>
  /** The same, noted in the journey. */
  view: (request: FastifyRequest) => Promise<Intent>
  /** For whom the card behind a request is tokenised: the intent's merchant and gateway; null without a bearer token. */
  tokeniserOf: (request: FastifyRequest) => Promise<{ merchantId: string; gatewayId: string } | null>
}

const TOKEN_LIFETIME_MS = LIFETIME_SECONDS * 1000
/** How long a page that paid in time may go on asking whether it did. */
const GRACE_MS = 3_600_000

interface Parts {
  tokens: Pick<IntentTokens, 'verify'>
  store: Pick<IntentStore, 'find' | 'view'>
  settle: Settle
}

export function createPayers({ tokens, store, settle }: Parts): Payers {
  const intentOf = async (request: FastifyRequest): Promise<Intent> => {
    const token = bearerOf(request)
    if (token === null) {
      throw new ServiceError('unauthorized', 'Send the checkout token as Authorization: Bearer TOKEN.', {
        challenge: 'Bearer',
      })
    }
    const found = await store.find(await tokens.verify(token))
    if (found === null) throw tokenRefused()
    if (found.ageMs >= TOKEN_LIFETIME_MS + GRACE_MS) throw tokenExpired()
    const intent = await settle(found)
    // Nobody is told that their time is over whose money has moved, or may have.
    if (intent.ageMs >= TOKEN_LIFETIME_MS && intent.chargeId === null) throw tokenExpired()
    return intent
  }
  return {
    intentOf,
    async view(request) {
      const intent = await intentOf(request)
      return intent.journey.some(({ step }) => step === 'viewed')
        ? intent
        : ((await store.view(intent.id)) ?? intent)
    },
    async tokeniserOf(request) {
      if (bearerOf(request) === null) return null
      const { merchantId, status, configuration } = await intentOf(request)
      if (status === 'expired') throw checkoutExpired()
      return { merchantId, gatewayId: configuration.content.gateway_id ?? 'default' }
    },
  }
}
