import { createHmac } from 'node:crypto'
import { schemeOf } from '../../../card/scheme.ts'
import type { TokeniseRequest } from '../../../contract/api/charges/payment-source-token.ts'
import type { TimeOfDay } from '../../platform/clocks.ts'
import type { Database } from '../../platform/database/database.ts'
import { NO_GATEWAY, ServiceError } from '../../platform/errors.ts'
import { idempotencyKeyReused } from '../../platform/idempotency.ts'
import { oneTimeTokenOf } from '../../platform/secrets/one-time-token.ts'
import { MissingKey } from '../../platform/vault/key-stores/master-keys.ts'
import type { CardBinding, CardSecrets, SealedCard, Vault } from '../../platform/vault/vault.ts'
import { cardFactsOf, faultsOfCard } from './card.ts'
import type { CardFacts } from './card.ts'
import type { KeptBrowser } from './token-store.ts'
import { addToken, cardPlaceOf, findHashByKey, findSpendable, keyHashOf, tokenHashOf } from './token-store.ts'

export interface TokensDeps {
  database: Database
  vault: Vault
  timeOfDay: TimeOfDay
  /** Makes the token of a request without an idempotency key; 94 random bits. */
  createToken: () => string
  /** The secrets that tokens of repeatable requests are derived from: the first now, the others before the master keys changed. */
  secrets: readonly Buffer[]
  hasGateway: (merchantId: string, gatewayId: string) => Promise<boolean>
}

/** Who sends a card: with which idempotency key, from which address, and what the headers tell of the browser. */
export interface TokeniseCaller {
  idempotencyKey: string | null
  accept: string
  userAgent: string
  address: string
}

/**
 * Seals a card and returns its one-time token. For 30 days the same card under the same idempotency key gets the same token again. Throws
 * `validation_error` naming each wrong field, or `idempotency_key_reused`.
 */
export async function tokenise(
  deps: TokensDeps,
  merchantId: string,
  { browser, ...request }: TokeniseRequest,
  { idempotencyKey, ...headers }: TokeniseCaller,
): Promise<{ token: string; isReplay: boolean }> {
  const { database, vault, timeOfDay, createToken, secrets, hasGateway } = deps
  if (idempotencyKey !== null) refuseGuessable(idempotencyKey)
  const faults = faultsOfCard(request, timeOfDay.epochMs())
  if (!(await hasGateway(merchantId, request.gateway_id))) {
    if (NOBODYS_CHOICE.has(request.gateway_id)) throw new ServiceError('gateway_not_found', NO_GATEWAY)
    faults.push({ path: 'gateway_id', message: "is not one of the merchant's gateways" })
  }
  if (faults.length > 0) throw cardRefused(faults)
  const repeatable = idempotencyKey === null ? null : { merchantId, idempotencyKey, card: request }
  const candidates =
    repeatable === null ? [createToken()] : secrets.map((one) => deriveToken(one, repeatable))
  const [token = createToken()] = candidates
  const tokenHash = tokenHashOf(token)
  const keyHash = idempotencyKey === null ? null : keyHashOf(idempotencyKey)
  const isAdded = await addToken(database, {
    tokenHash,
    merchantId,
    gatewayId: request.gateway_id === 'not_configured' ? null : request.gateway_id,
    card: cardFactsOf(request),
    sealed: await vault.seal(secretsOf(request), {
      place: cardPlaceOf({ merchantId, name: tokenHash.toString('hex') }),
      token,
    }),
    meta: request.meta,
    browser: browserOf(browser, headers),
    keyHash,
  })
  if (isAdded) return { token, isReplay: false }
  if (keyHash === null) throw new Error('a random token was there before')
  return { token: madeBefore(await findHashByKey(database, merchantId, keyHash), candidates), isReplay: true }
}

function browserOf(
  told: TokeniseRequest['browser'],
  headers: Pick<TokeniseCaller, 'accept' | 'userAgent' | 'address'>,
): KeptBrowser | null {
  return told === undefined ? null : { ...told, ...headers }
}

/** A form without a gateway of its own asks for the merchant's default one. */
const NOBODYS_CHOICE: ReadonlySet<string> = new Set(['default', 'not_configured'])

/** A token that can be spent, opened for one charge. */
export interface OpenedToken {
  /** All that a charge may keep of the token. */
  hash: Buffer
  gatewayId: string | null
  facts: CardFacts
  secrets: CardSecrets
  browser: KeptBrowser | null
}

export interface FoundToken {
  /** Throws `token_not_found` unless this merchant can spend the token. */
  openFor: (merchantId: string) => Promise<OpenedToken>
}

/** Looks a token up before its merchant is known; it opens for its own merchant alone. */
export async function findToken({ database, vault }: TokensDeps, token: string): Promise<FoundToken> {
  const hash = tokenHashOf(token)
  const stored = UUID.test(token) ? await findSpendable(database, hash) : null
  return {
    async openFor(merchantId) {
      if (stored?.merchantId !== merchantId) throw tokenNotFound()
      const place = cardPlaceOf({ merchantId, name: hash.toString('hex') })
      const card = await openCard(vault, stored.sealed, { place, token })
      return { hash, gatewayId: stored.gatewayId, facts: stored.card, secrets: card, browser: stored.browser }
    },
  }
}

/**
 * What a checkout may know of a token's card: never its number or code. Throws `token_not_found` unless this merchant can spend the token.
 */
export async function cardOf(
  deps: TokensDeps,
  merchantId: string,
  token: string,
): Promise<{
  takenAs: readonly string[]
  gatewayId: string | null
  given: Readonly<Record<string, string>>
}> {
  const { facts, gatewayId } = await (await findToken(deps, token)).openFor(merchantId)
  const takenAs = schemeOf(facts.card_number_bin)?.takenAs ?? [facts.card_scheme]
  return { takenAs, gatewayId, given: { ...facts.holder, card_name: facts.card_name } }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The token that the key was used for; throws if none of the request's possible tokens matches, as then it is another request. */
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

function secretsOf({ card_number: number, card_ccv: code = '' }: TokeniseRequest): CardSecrets {
  return { number, code }
}

/** The answer to a token that is unknown, used, expired or another merchant's, without saying which. */
export function tokenNotFound(cause?: unknown): ServiceError {
  return new ServiceError(
    'token_not_found',
    'The token is unknown, already used or expired. Ask the card holder for the card again to get a new one.',
    { cause },
  )
}

function cardRefused(details: { path: string; message: string }[]): ServiceError {
  return new ServiceError(
    'validation_error',
    'The card was not accepted. Correct the fields named in details.',
    {
      details,
    },
  )
}

interface RepeatableRequest {
  merchantId: string
  idempotencyKey: string
  card: TokeniseRequest
}

const MIN_CHARACTERS = 22

/**
 * Throws `validation_error` for an idempotency key that is too short to be random. The token is derived from it: whoever guessed the key, and
 * had the disk and the master keys, could find the card by trying numbers and codes.
 */
function refuseGuessable(idempotencyKey: string): void {
  if (idempotencyKey.length >= MIN_CHARACTERS) return
  throw new ServiceError(
    'validation_error',
    `The Idempotency-Key of a card must be random: a UUID, or ${String(MIN_CHARACTERS)} random characters or more.`,
  )
}

/**
 * The token of a request that may come again: the same each time, so that it need not be kept; another one if the key or the card differs.
 * HMAC-SHA256 under `secret`, in the form that every token has.
 */
function deriveToken(secret: Buffer, { merchantId, idempotencyKey, card }: RepeatableRequest): string {
  const { card_name, expire_month, expire_year, holder } = cardFactsOf(card)
  const facts = [card_name, expire_month, expire_year, holder, card.card_number, card.card_ccv]
  const content = JSON.stringify([merchantId, idempotencyKey, ...facts])
  return oneTimeTokenOf(createHmac('sha256', secret).update(content).digest())
}
