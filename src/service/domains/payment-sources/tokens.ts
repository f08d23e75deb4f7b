import { schemeOf } from '../../../card/scheme.ts'
import type { TokeniseRequest } from '../../../contract/api/charges/payment-source-token.ts'
import type { TimeOfDay } from '../../platform/clocks.ts'
import { NO_GATEWAY, ServiceError } from '../../platform/errors.ts'
import { idempotencyKeyReused } from '../../platform/idempotency.ts'
import { MissingKey } from '../../platform/vault/key-stores/master-keys.ts'
import type { CardBinding, CardSecrets, SealedCard, Vault } from '../../platform/vault/vault.ts'
import { faultsOfCard } from './card-verdicts.ts'
import { deriveToken, refuseGuessable } from './derived-token.ts'
import { cardFactsOf } from './card-facts.ts'
import type { CardFacts } from './card-facts.ts'
import { keyHashOf, tokenHashOf } from './token-hash.ts'
import { cardPlaceOf } from './token-keys.ts'
import type { TokenStore } from './token-store.ts'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A token that can be spent, opened for one charge. */
export interface OpenedToken {
  /** What may be kept of the token. */
  hash: Buffer
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
   * token again, for 30 days. Throws `validation_error` naming each wrong field, or `idempotency_key_reused`.
   */
  tokenise: (merchantId: string, request: TokeniseRequest, key: string | null) => Promise<MadeToken>
  /** Reads a token without checking its merchant; it opens for its own merchant alone. */
  find: (token: string) => Promise<LookedUpToken>
}

/** A token that was looked for. */
export interface LookedUpToken {
  /** Throws `token_not_found` where there is none that this merchant can spend. */
  openFor: (merchantId: string) => Promise<OpenedToken>
}

interface Parts {
  store: TokenStore
  vault: Vault
  timeOfDay: TimeOfDay
  /** Makes the token of a request that bears no idempotency key; 94 random bits. */
  createToken: () => string
  /**
   * Secrets from which tokens of repeatable requests are derived: the first is used; the others were, before master keys changed.
   */
  secrets: readonly Buffer[]
  hasGateway: (merchantId: string, gatewayId: string) => Promise<boolean>
}

/** A form that was given no gateway asks for the merchant's default one. */
const NOBODYS_CHOICE: ReadonlySet<string> = new Set(['default', 'not_configured'])

export function createTokens({ store, vault, timeOfDay, createToken, secrets, hasGateway }: Parts): Tokens {
  return {
    async tokenise(merchantId, request, idempotencyKey) {
      if (idempotencyKey !== null) refuseGuessable(idempotencyKey)
      const faults = faultsOfCard(request, timeOfDay.epochMs())
      if (!(await hasGateway(merchantId, request.gateway_id))) {
        if (NOBODYS_CHOICE.has(request.gateway_id)) throw new ServiceError('gateway_not_found', NO_GATEWAY)
        faults.push({ path: 'gateway_id', message: "is not one of the merchant's gateways" })
      }
      if (faults.length > 0) throw refused(faults)
      const repeatable = idempotencyKey === null ? null : { merchantId, idempotencyKey, card: request }
      const candidates =
        repeatable === null ? [createToken()] : secrets.map((one) => deriveToken(one, repeatable))
      const [token = createToken()] = candidates
      const tokenHash = tokenHashOf(token)
      const keyHash = idempotencyKey === null ? null : keyHashOf(idempotencyKey)
      const isAdded = await store.add({
        tokenHash,
        merchantId,
        gatewayId: request.gateway_id === 'not_configured' ? null : request.gateway_id,
        card: cardFactsOf(request),
        sealed: await vault.seal(secretsOf(request), {
          place: cardPlaceOf({ merchantId, name: tokenHash.toString('hex') }),
          token,
        }),
        meta: request.meta,
        keyHash,
      })
      if (isAdded) return { token, isReplay: false }
      if (keyHash === null) throw new Error('a random token was there before')
      return { token: madeBefore(await store.findByKey(merchantId, keyHash), candidates), isReplay: true }
    },
    async find(token) {
      const hash = tokenHashOf(token)
      const stored = uuid.test(token) ? await store.find(hash) : null
      return {
        async openFor(merchantId) {
          if (stored?.merchantId !== merchantId) throw tokenNotFound()
          const place = cardPlaceOf({ merchantId, name: hash.toString('hex') })
          const card = await openCard(vault, stored.sealed, { place, token })
          return { hash, gatewayId: stored.gatewayId, facts: stored.card, secrets: card }
        },
      }
    },
  }
}

/**
 * The token that the key was used for; throws where none of the request's possible tokens matches, as the request then differs.
 */
function madeBefore(known: Buffer | null, candidates: readonly string[]): string {
  if (known === null) throw new Error('a token that was in the way is not there')
  const token = candidates.find((candidate) => tokenHashOf(candidate).equals(known))
  if (token === undefined) throw idempotencyKeyReused('card')
  return token
}

/** A card that can't be opened has to be collected again; the reason is in the log for the operator. */
async function openCard(vault: Vault, sealed: SealedCard, binding: CardBinding): Promise<CardSecrets> {
  try {
    return await vault.open(sealed, binding)
  } catch (error) {
    throw error instanceof MissingKey ? tokenNotFound(error) : error
  }
}

function secretsOf({ card_number: number, card_ccv: code }: TokeniseRequest): CardSecrets {
  return { number, code }
}

/** The answer to a token that is unknown, used, expired or another merchant's; it does not say which. */
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

/**
 * What a checkout may know of a token's card: never its number or code. Throws `token_not_found` for a token that this
 * merchant can't spend.
 */
export type CardOf = (
  merchantId: string,
  token: string,
) => Promise<{
  takenAs: readonly string[]
  gatewayId: string | null
  given: Readonly<Record<string, string>>
}>

export function createCardOf({ find }: Pick<Tokens, 'find'>): CardOf {
  return async (merchantId, token) => {
    const { facts, gatewayId } = await (await find(token)).openFor(merchantId)
    const takenAs = schemeOf(facts.card_number_bin)?.takenAs ?? [facts.card_scheme]
    return { takenAs, gatewayId, given: { ...facts.holder, card_name: facts.card_name } }
  }
}
