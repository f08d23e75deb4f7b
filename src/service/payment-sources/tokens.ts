import type { TokeniseRequest } from '../../contract/payment-source-token.ts'
import { ServiceError } from '../errors.ts'
import type { CardSecrets, Vault } from '../vault/vault.ts'
import { faultsOfCard } from './card-verdicts.ts'
import { cardFactsOf } from './payment-source.ts'
import type { CardFacts } from './payment-source.ts'
import type { TokenStore } from './token-store.ts'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A token that can be spent, opened for one charge. */
export interface OpenedToken {
  token: string
  gatewayId: string | null
  facts: CardFacts
  secrets: CardSecrets
}

export interface Tokens {
  /** Seals a card and returns its one-time token. Throws `validation_error` naming each wrong field. */
  tokenise: (merchantId: string, request: TokeniseRequest) => Promise<string>
  /** Throws `token_not_found` for a token that this merchant can't spend. */
  open: (merchantId: string, token: string) => Promise<OpenedToken>
}

interface Parts {
  store: TokenStore
  vault: Vault
  clock: () => number
  createToken: () => string
  hasGateway: (merchantId: string, gatewayId: string) => Promise<boolean>
}

export function createTokens({ store, vault, clock, createToken, hasGateway }: Parts): Tokens {
  return {
    async tokenise(merchantId, request) {
      const faults = faultsOfCard(request, clock())
      if (!(await hasGateway(merchantId, request.gateway_id))) {
        faults.push({ path: 'gateway_id', message: "is not one of the merchant's gateways" })
      }
      if (faults.length > 0) throw refused(faults)
      const token = createToken()
      await store.add({
        token,
        merchantId,
        gatewayId: request.gateway_id === 'not_configured' ? null : request.gateway_id,
        card: cardFactsOf(request),
        sealed: vault.seal(
          { number: request.card_number, code: request.card_ccv },
          placeOf(merchantId, token),
        ),
        meta: request.meta,
      })
      return token
    },
    async open(merchantId, token) {
      const stored = uuid.test(token) ? await store.find(token, merchantId) : null
      if (stored === null) throw tokenNotFound()
      const secrets = vault.open(stored.sealed, placeOf(merchantId, token))
      return { token, gatewayId: stored.gatewayId, facts: stored.card, secrets }
    },
  }
}

/** The answer to a token that is unknown, used, expired or another's: which of these is nobody's business. */
export function tokenNotFound(): ServiceError {
  return new ServiceError(
    'token_not_found',
    'The token is unknown, already used or expired. Ask the card holder for the card again to get a new one.',
  )
}

function refused(details: { path: string; message: string }[]): ServiceError {
  return new ServiceError(
    'validation_error',
    'The card was not accepted. Correct the fields named in details.',
    {
      details,
    },
  )
}

function placeOf(merchantId: string, token: string): string {
  return `${merchantId}/${token}`
}
