import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../errors.ts'
import { bearerOf } from '../http/bearer.ts'
import type { IntentStore } from './intent-store.ts'
import { tokenExpired, tokenRefused } from './intent-tokens.ts'
import type { IntentTokens } from './intent-tokens.ts'
import { checkoutExpired } from './intent.ts'
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
    const { intentId, isExpired } = await tokens.verify(token)
    const found = await store.find(intentId)
    if (found === null) throw tokenRefused()
    const intent = await settle(found)
    // Nobody is told that their time is over whose money has moved, or may have.
    if (isExpired && intent.chargeId === null) throw tokenExpired()
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
