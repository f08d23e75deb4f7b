import type { AuthenticationWish } from '../../../contract/api/charges/authentication.ts'
import type {
  ChargeRequest,
  RefundRequest,
  WordsChange,
} from '../../../contract/api/charges/charge-request.ts'
import type { ErrorCode } from '../../../contract/api/envelope.ts'
import type { Cents } from '../../../contract/api/fields/amount.ts'
import type { Actor } from '../../../contract/dashboard/audit.ts'
import type { Database } from '../../platform/database/database.ts'
import { NO_GATEWAY, ServiceError, notFound } from '../../platform/errors.ts'
import { refuseIfChanged } from '../../platform/http/answers/entity-tag.ts'
import type { IdempotentRequest } from '../../platform/idempotency.ts'
import { withTransStatus } from './authentication.ts'
import { accessTokenOf } from './authentications.ts'
import type { InSameTransaction } from './attempt-store.ts'
import { attemptAuthorisation, attemptFollowUp } from './attempts.ts'
import type { CardAndHolder, FollowUpType } from './attempts.ts'
import type { AttemptDeps, AttemptResult } from './settle.ts'
import { entityTagOf } from './charge-resource.ts'
import { findCharge, writeWords } from './charge-store.ts'
import {
  decideAuthorisation,
  decideCancel,
  decideCapture,
  decideEdit,
  decideRefund,
  isTooLateToCapture,
  requestInProgress,
} from './charge.ts'
import type { Charge, NewAttempt, NewCharge } from './charge.ts'
import { toNewCharge } from './new-charge.ts'
import type { ChargeToken, MerchantGateway } from './new-charge.ts'
import { chargeRefusalOf } from './refusal.ts'

/** What charges need of the platform and of other domains. */
export interface ChargesDeps extends AttemptDeps {
  findToken: (token: string) => Promise<FoundToken>
  gatewayOf: (merchantId: string, gatewayId: string) => Promise<MerchantGateway | null>
  /** Where a bank sends the card holder's browser back to, from its step of an authentication. */
  bankReturnUrl: (authenticationId: string) => string
  /** The answer if a token was taken in the meantime. */
  tokenNotFound: () => ServiceError
}

/** A token that was looked up; `openFor` throws `token_not_found` if it is not the merchant's. */
export interface FoundToken {
  openFor: (merchantId: string) => Promise<ChargeToken>
}

/** Who asks for an attempt. */
export interface Caller {
  merchant: { id: string; preAuth: boolean }
  /** The user of the dashboard; null if it is the merchant's server or page. */
  userId: string | null
  sourceIp: string
  /** Null if the request has no idempotency key. */
  idempotentRequest: IdempotentRequest | null
}

/**
 * Holds the funds of a card, or captures them at once if `capture` is true. `foundToken`: the token, if it was looked up before. The new
 * charge commits together with `inSameTransaction`.
 */
export async function authorise(
  deps: ChargesDeps,
  { merchant, userId, sourceIp, idempotentRequest }: Caller,
  request: ChargeRequest,
  capture: boolean,
  options: { foundToken?: FoundToken; inSameTransaction?: InSameTransaction } = {},
): Promise<AttemptResult> {
  decideAuthorisation(merchant, capture)
  const found = options.foundToken ?? (await deps.findToken(request.token))
  const token = await found.openFor(merchant.id)
  const gateway = await gatewayFor(deps, merchant.id, token)
  refuseUnaskable(wishOf(request, gateway), request, token)
  const { amount } = request
  const id = deps.createId()
  const asked = { reason: null, reference: null, amount, userId, sourceIp, idempotentRequest }
  const attempt: NewAttempt = { ...asked, id, type: 'sale' }
  const charge = toNewCharge({ id: deps.createId(), merchant, request, token, gateway, capture, attempt })
  const { inSameTransaction = null } = options
  const cardAndHolder = cardAndHolderOf(deps, request, token, { gateway, charge })
  const result = await attemptAuthorisation(deps, charge, attempt, cardAndHolder, inSameTransaction)
  if (result === null) throw deps.tokenNotFound()
  return result
}

/** Captures funds that are held: all of them, or `amount`; the rest is released. */
export async function capture(
  deps: ChargesDeps,
  caller: Caller,
  found: Charge | null,
  amount: Cents | undefined,
): Promise<AttemptResult> {
  return followUp(deps, caller, found, { type: 'capture' }, (charge) => decideCapture(charge, amount))
}

/** Releases funds that are held. */
export async function cancel(
  deps: ChargesDeps,
  caller: Caller,
  found: Charge | null,
): Promise<AttemptResult> {
  return followUp(deps, caller, found, { type: 'cancel' }, (charge) => {
    decideCancel(charge)
    return charge.amount
  })
}

/** Refunds what was captured: all that is left, or `amount`. */
export async function refund(
  deps: ChargesDeps,
  caller: Caller,
  found: Charge | null,
  { amount, reference }: RefundRequest,
): Promise<AttemptResult> {
  return followUp(deps, caller, found, { type: 'refund', reference }, (charge) =>
    decideRefund(charge, amount),
  )
}

/** Whose charge is changed, by whom, and by `If-Match` as which it was read. */
interface ChargeToEdit {
  merchantId: string
  id: string
  actor: Actor
  ifMatch: string | undefined
}

/** How often a change is decided again because another one came between. */
const MOST_TRIES = 10

/**
 * Changes a charge's reference, description and metadata, in any status, and tells of it (`charge.updated`). A change that leaves all as
 * it was is no change. Of changes that come at once, each decides on what the one before it has made. Throws `not_found`,
 * `precondition_failed`, and what `decideEdit` does.
 */
export async function editCharge(
  { database, createId }: Pick<ChargesDeps, 'database' | 'createId'>,
  { merchantId, id, actor, ifMatch }: ChargeToEdit,
  change: WordsChange,
): Promise<Charge> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const charge = ownCharge(merchantId, await findCharge(database, id))
    refuseIfChanged('charge', entityTagOf(charge), ifMatch)
    const { words, changed } = decideEdit(charge, change)
    if (changed.length === 0) return charge
    const version = ifMatch === undefined ? null : charge.version
    const facts = { changed: changed.join(', '), status: charge.status }
    const edited = await writeWords(database, charge, { id: createId(), words, version, actor, facts })
    if (edited !== null) return edited
  }
  throw requestInProgress()
}

/** Throws `not_found` unless the charge exists and is the merchant's. */
export function ownCharge(merchantId: string, charge: Charge | null | undefined): Charge {
  if (charge?.merchantId === merchantId) return charge
  throw notFound('charge')
}

/** Makes the attempt. After a lost race it decides again, by the charge as the winner has left it. */
async function followUp(
  deps: ChargesDeps,
  { merchant, userId, sourceIp, idempotentRequest }: Caller,
  found: Charge | null,
  { type, reference = null }: { type: FollowUpType; reference?: string | null | undefined },
  decideAmount: (charge: Charge) => Cents,
): Promise<AttemptResult> {
  const charge = ownCharge(merchant.id, found)
  const amount = decideAmount(charge)
  const asked = { type, amount, reference, userId, sourceIp, idempotentRequest, reason: null }
  const result = await attemptFollowUp(deps, charge, asked)
  if (result !== null) return result
  decideAmount(ownCharge(merchant.id, await findCharge(deps.database, charge.id)))
  throw requestInProgress()
}

/** Throws `authentication_required` if the card holder is to be asked and can't be: then nothing is taken. */
function refuseUnaskable(
  wish: AuthenticationWish,
  { authentication_result: made }: ChargeRequest,
  { browser }: ChargeToken,
): void {
  if (wish !== 'challenge' || browser !== null || made !== undefined) return
  throw new ServiceError(
    'authentication_required',
    'The card came from no browser, so nobody can be asked; nothing was taken. Collect it with the card form, or send `authentication` as automatic.',
  )
}

async function gatewayFor(
  { gatewayOf }: ChargesDeps,
  merchantId: string,
  { gatewayId }: ChargeToken,
): Promise<MerchantGateway> {
  const gateway = await gatewayOf(merchantId, gatewayId ?? 'default')
  if (gateway !== null) return gateway
  const isChosen = gatewayId !== null && gatewayId !== 'default'
  throw new ServiceError(
    'gateway_not_found',
    isChosen
      ? "The gateway of this token was removed. Collect the card again, with another of the merchant's gateways."
      : NO_GATEWAY,
  )
}

/** The card, and how its holder is to be authenticated. */
function cardAndHolderOf(
  { createId, bankReturnUrl }: ChargesDeps,
  request: ChargeRequest,
  token: ChargeToken,
  {
    gateway,
    charge,
  }: { gateway: Pick<MerchantGateway, 'authentication'>; charge: Pick<NewCharge, 'customer'> },
): CardAndHolder {
  const authenticationId = createId()
  const made = request.authentication_result
  return {
    card: cardOf(token),
    authenticationId,
    authentication: {
      wish: wishOf(request, gateway),
      exemption: request.exemption ?? null,
      browser: token.browser,
      email: charge.customer.email ?? null,
      returnUrl: bankReturnUrl(authenticationId),
      made: made === undefined ? null : withTransStatus(made, token.facts.card_scheme),
    },
  }
}

/**
 * What the request wants, else the account; the account's `challenge` gives way to a request that says why nobody has to be asked, or that
 * somebody was.
 */
function wishOf(
  { authentication, exemption, authentication_result: made }: ChargeRequest,
  account: Pick<MerchantGateway, 'authentication'>,
): AuthenticationWish {
  const isSpared = exemption !== undefined || made !== undefined
  const usual = isSpared && account.authentication === 'challenge' ? 'automatic' : account.authentication
  return authentication ?? usual
}

function cardOf({ facts, secrets }: ChargeToken) {
  return {
    ...secrets,
    name: facts.card_name,
    expireMonth: facts.expire_month,
    expireYear: facts.expire_year,
  }
}

/** A charge for other domains that only need to know whether it was paid; a hold counts as paid until its time is over. */
export interface ChargePayment {
  chargeId: string
  /** `open`: the gateway has not answered yet. */
  outcome: 'paid' | 'failed' | 'open'
  /** Why it failed. */
  code: ErrorCode | null
  /** Whether it waits for the card holder, whom their bank asks. */
  isHolderAsked: boolean
}

/** Authorises a payment; the charge commits together with `inSameTransaction`. Throws if it can't begin. */
export async function pay(
  deps: ChargesDeps,
  caller: Caller,
  request: ChargeRequest,
  capture: boolean,
  inSameTransaction: InSameTransaction,
): Promise<ChargePayment> {
  return toChargePayment((await authorise(deps, caller, request, capture, { inSameTransaction })).charge)
}

export async function paymentOf({ database }: ChargesDeps, chargeId: string): Promise<ChargePayment> {
  return toChargePayment(await chargeOf(database, chargeId))
}

async function chargeOf(database: Database, id: string): Promise<Charge> {
  const charge = await findCharge(database, id)
  if (charge === null) throw new Error(`charge ${id} has gone`)
  return charge
}

function toChargePayment(charge: Charge): ChargePayment {
  const refusal = chargeRefusalOf(charge)?.code ?? null
  const code = refusal ?? (isTooLateToCapture(charge) ? 'authorisation_expired' : null)
  const isHolderAsked = charge.status === 'pre_authentication_pending'
  const isOpen = charge.status === 'processing' || isHolderAsked
  return {
    chargeId: charge.id,
    code,
    outcome: code !== null ? 'failed' : isOpen ? 'open' : 'paid',
    isHolderAsked,
  }
}

/**
 * By which a page shows the bank's step of a charge. Null unless the charge waits for its card holder; null, too, and a fault for the operator,
 * where the step can't be unsealed: what else the caller shows does not depend on it.
 */
export async function shownStepOf(
  deps: ChargesDeps,
  chargeId: string,
): Promise<{ id: string; token: string } | null> {
  const { status, attempts } = await chargeOf(deps.database, chargeId)
  const asked = attempts.find(({ type, outcome }) => type === 'sale' && outcome === 'open')
  const id = asked?.authentication?.id
  if (status !== 'pre_authentication_pending' || asked === undefined || id === undefined) return null
  try {
    const token = await accessTokenOf(deps, asked)
    return token === null ? null : { id, token }
  } catch (error) {
    deps.gatewayCalls.onFault(error)
    return null
  }
}
