import type { ChargeRequest } from '../../../contract/api/charges/charge-request.ts'
import type { DeclineCode } from '../../../contract/api/decline-codes.ts'
import type { ErrorCode, ErrorDetail } from '../../../contract/api/envelope.ts'
import type { Queries } from '../../platform/database/database.ts'
import { ServiceError } from '../../platform/errors.ts'
import type { CheckoutsDeps, Payment } from './deps.ts'
import { checkoutExpired, decidePayment, failureOf, faultsOf } from './intent.ts'
import type { Intent } from './intent.ts'
import { beginPayment, findIntent } from './intent-store.ts'
import { syncWithCharge } from './sync-with-charge.ts'

/** A try to pay an intent with a card's one-time token. */
interface PaymentTry {
  intentId: string
  paymentSource: string
  sourceIp: string
}

/**
 * Pays an intent once, however many pages try at once. The intent is taken for a charge in the transaction that begins the charge: so
 * there is no second charge while its outcome is open, and none after it was paid. A page that comes later gets that one payment.
 * Returns the paid intent or throws a `ServiceError`.
 */
export async function payIntent(
  deps: CheckoutsDeps,
  one: PaymentTry,
): Promise<{ intent: Intent; isNew: boolean }> {
  for (;;) {
    const intent = await current(deps, one.intentId)
    if (intent.status === 'completed') return { intent, isNew: false }
    const payment = await payUnlessMoved(deps, intent, one)
    if (payment !== null) return { intent: await paid(deps, intent, payment), isNew: true }
  }
}

async function current(deps: CheckoutsDeps, id: string): Promise<Intent> {
  const intent = await findIntent(deps.database, id)
  if (intent === null) throw new Error(`checkout intent ${id} has gone`)
  return syncWithCharge(deps, intent)
}

/** Null if another page was faster: then the intent has moved, and has to be read again. */
async function payUnlessMoved(deps: CheckoutsDeps, intent: Intent, one: PaymentTry): Promise<Payment | null> {
  try {
    return await pay(deps, intent, one)
  } catch (error) {
    if ((await current(deps, intent.id)).revision === intent.revision) throw inWordsOfPages(error)
    return null
  }
}

async function pay(
  deps: CheckoutsDeps,
  intent: Intent,
  { paymentSource, sourceIp }: PaymentTry,
): Promise<Payment> {
  const paymentSourceHash = deps.hashOf(paymentSource)
  const failure = failureOf(intent, paymentSourceHash)
  if (failure !== null) throw paymentFailed(failure)
  decidePayment(intent)
  const merchant = await deps.merchants.find(intent.merchantId)
  if (merchant === null) throw new Error(`merchant ${intent.merchantId} has gone`)
  const { content } = intent.configuration
  refuseCard(faultsOf(await deps.cardOf(merchant.id, paymentSource), content))
  const caller = { merchant, userId: null, sourceIp, idempotentRequest: null }
  const takeIntent = async (queries: Queries, chargeId: string) => {
    const taken = await beginPayment(queries, intent, { chargeId, paymentSourceHash })
    if (taken === null) throw checkoutExpired()
  }
  return deps.pay(caller, chargeOf(intent, paymentSource), content.capture === 'now', takeIntent)
}

/** The intent after a successful payment; after a failed one it throws what the card holder reads. */
async function paid(deps: CheckoutsDeps, intent: Intent, payment: Payment): Promise<Intent> {
  const synced = await syncWithCharge(deps, { ...intent, chargeId: payment.chargeId }, payment)
  if (payment.code !== null) throw paymentFailed(payment.code)
  if (payment.isHolderAsked) throw holderAsked()
  if (payment.outcome === 'open') throw outcomeUnknown()
  return synced
}

function refuseCard(details: ErrorDetail[]): void {
  if (details.length === 0) return
  throw new ServiceError('validation_error', 'This card is not taken here. Correct what details names.', {
    details,
  })
}

/** The request for an intent's charge: only the card comes from the page, the rest from the intent. */
function chargeOf(intent: Intent, token: string): ChargeRequest {
  const { amount, currency, reference, description, statementDescriptor, metadata, customer } = intent
  const { authentication } = intent.configuration.content
  const { email, phone, billing_address: address } = customer
  return {
    amount,
    currency,
    token,
    ...(reference !== null && { reference }),
    ...(description !== null && { description }),
    ...(statementDescriptor !== null && { statement_descriptor: statementDescriptor }),
    metadata,
    ...(authentication !== undefined && { authentication }),
    customer: { email, phone, payment_source: address },
  }
}

/** What a card holder reads; the merchant finds the gateway's own words in the charge. */
const WORDS: Readonly<
  Partial<Record<ErrorCode, string>> & Record<DeclineCode | 'gateway_unavailable', string>
> = {
  transaction_declined: 'Your bank declined this payment. Try another card, or call your bank.',
  insufficient_funds: 'There is not enough money in this account. Try another card.',
  credit_card_invalid_or_expired: 'Your bank says that this card has expired. Try another card.',
  authentication_required:
    'Your bank wants to confirm that it is you, which this page could not do. Try again.',
  authentication_failed: 'Your bank could not confirm that it is you. Try another card, or call your bank.',
  not_authenticated: 'What your bank asked was not finished. Nothing was taken: try again.',
  fraud_warning: 'Your bank stopped this payment. Try another card, or call your bank.',
  gateway_unavailable: 'The payment could not be sent and nothing was taken. Try again in a moment.',
}

/** A card that can't be asked about is refused before there is a charge, in words for servers. */
function inWordsOfPages(error: unknown): unknown {
  const isRefused = error instanceof ServiceError && error.code === 'authentication_required'
  return isRefused ? paymentFailed(error.code) : error
}

/** Has the code of the charge. */
function paymentFailed(code: ErrorCode): ServiceError {
  const words = WORDS[code] ?? 'The payment failed and nothing was taken. Try another card.'
  return new ServiceError(code, words, code === 'gateway_unavailable' ? { retryAfter: 5 } : {})
}

/** The payment waits for the card holder: the session says with what the page shows their bank's step. */
function holderAsked(): ServiceError {
  return new ServiceError(
    'request_in_progress',
    'Your bank wants to confirm that it is you. Follow its steps, and do not pay again.',
    { retryAfter: 2 },
  )
}

/** The payment was sent to the gateway and not answered. */
function outcomeUnknown(): ServiceError {
  return new ServiceError(
    'outcome_unknown',
    'Your bank has not answered yet. Do not pay again: we keep asking, and this page can ask for the result.',
    { retryAfter: 5 },
  )
}
