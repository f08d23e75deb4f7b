import { isDeepStrictEqual } from 'node:util'
import type { TokeniseRequest } from '../../contract/payment-source-token.ts'
import type { TimeOfDay } from '../clocks.ts'
import { ServiceError } from '../errors.ts'
import { MissingKey } from '../vault/envelope.ts'
import type { CardSecrets, SealedCard, Vault } from '../vault/vault.ts'
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

interface MadeToken {
  token: string
  isReplay: boolean
}

export interface Tokens {
  /**
   * Seals a card and returns its one-time token. The same card under the same idempotency key is given the same
   * token again. Throws `validation_error` naming each wrong field, or `idempotency_key_reused`.
   */
  tokenise: (merchantId: string, request: TokeniseRequest, key: string | null) => Promise<MadeToken>
  /** Throws `token_not_found` for a token that this merchant can't spend. */
  open: (merchantId: string, token: string) => Promise<OpenedToken>
}

interface Parts {
  store: TokenStore
  vault: Vault
  timeOfDay: TimeOfDay
  createToken: () => string
  hasGateway: (merchantId: string, gatewayId: string) => Promise<boolean>
}

export function createTokens({ store, vault, timeOfDay, createToken, hasGateway }: Parts): Tokens {
  return {
    async tokenise(merchantId, request, idempotencyKey) {
      const faults = faultsOfCard(request, timeOfDay.epochMs())
      if (!(await hasGateway(merchantId, request.gateway_id))) {
        faults.push({ path: 'gateway_id', message: "is not one of the merchant's gateways" })
      }
      if (faults.length > 0) throw refused(faults)
      const token = createToken()
      const isAdded = await store.add({
        token,
        merchantId,
        gatewayId: request.gateway_id === 'not_configured' ? null : request.gateway_id,
        card: cardFactsOf(request),
        sealed: vault.seal(secretsOf(request), placeOf(merchantId, token)),
        meta: request.meta,
        idempotencyKey,
      })
      return isAdded ? { token, isReplay: false } : madeBefore(merchantId, request, idempotencyKey ?? '')
    },
    async open(merchantId, token) {
      const stored = uuid.test(token) ? await store.find(token, merchantId) : null
      if (stored === null) throw tokenNotFound()
      const secrets = openCard(stored.sealed, placeOf(merchantId, token))
      return { token, gatewayId: stored.gatewayId, facts: stored.card, secrets }
    },
  }

  /** A card that can't be opened here is lost to the merchant; the operator reads why in the log. */
  function openCard(sealed: SealedCard, place: string): CardSecrets {
    try {
      return vault.open(sealed, place)
    } catch (error) {
      throw error instanceof MissingKey ? tokenNotFound(error) : error
    }
  }

  /** Once a card is erased, what may be known of it must do to tell it from another. */
  async function madeBefore(merchantId: string, request: TokeniseRequest, key: string): Promise<MadeToken> {
    const known = await store.findByKey(merchantId, key)
    if (known === null) throw new Error('a token that was in the way is not there')
    const { token, card, sealed } = known
    const secrets = sealed === null ? secretsOf(request) : openCard(sealed, placeOf(merchantId, token))
    if (!isDeepStrictEqual([card, secrets], [cardFactsOf(request), secretsOf(request)])) {
      throw new ServiceError(
        'idempotency_key_reused',
        'This Idempotency-Key was used for another card. Make a new key.',
      )
    }
    return { token, isReplay: true }
  }
}

function secretsOf({ card_number: number, card_ccv: code }: TokeniseRequest): CardSecrets {
  return { number, code }
}

/** The answer to a token that is unknown, used, expired or another's: which of these is nobody's business. */
export function tokenNotFound(cause?: unknown): ServiceError {
  return new ServiceError(
    'token_not_found',
    'The token is unknown, already used or expired. Ask the card holder for the card again to get a new one.',
    { cause },
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
