import type { ChargeRequest } from '../../../../contract/api/charges/charge-request.ts'
import type { ErrorDetail } from '../../../../contract/api/envelope.ts'
import type { Queries } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { faultsOf } from './card-rules.ts'
import type { CardFacts } from './card-rules.ts'
import type { IntentPaymentStore } from '../intents/intent-payment-store.ts'
import type { IntentStore } from '../intents/intent-store.ts'
import { checkoutExpired, decidePayment, failureOf } from '../intents/intent.ts'
import type { Intent } from '../intents/intent.ts'
import { outcomeUnknown, paymentFailed } from './payer-errors.ts'
import type { Payment, SyncWithCharge } from '../intents/sync-with-charge.ts'

interface Caller {
  merchant: { id: string; preAuth: boolean }
  userId: null
  sourceIp: string
  idempotentRequest: null
}

export interface PayParts {
  store: Pick<IntentStore, 'find'>
  payments: Pick<IntentPaymentStore, 'begin'>
  syncWithCharge: SyncWithCharge
  merchantOf: (id: string) => Promise<Caller['merchant'] | null>
  /** What is kept of a token. */
  hashOf: (paymentSource: string) => Buffer
  /** Throws `token_not_found` for a token that can't be spent. */
  cardOf: (merchantId: string, paymentSource: string) => Promise<CardFacts>
  /** Makes a charge whose beginning commits with `inSameTransaction`, or neither does. */
  pay: (
    caller: Caller,
    request: ChargeRequest,
    capture: boolean,
    inSameTransaction: (queries: Queries, chargeId: string) => Promise<void>,
  ) => Promise<Payment>
}

/** A try to pay an intent with a card's one-time token. */
interface PaymentTry {
  intentId: string
  paymentSource: string
  sourceIp: string
}

/**
 * Pays an intent once, however many pages try at once: the intent is taken for a charge in the transaction that begins
 * the charge, so there is no second one while its outcome is open, and none after it was paid. A page that comes
 * later is shown that one payment. Ends in the paid intent or a `ServiceError`.
 */
export type PayIntent = (one: PaymentTry) => Promise<{ intent: Intent; isNew: boolean }>

export function createPayIntent({
  store,
  payments,
  syncWithCharge,
  merchantOf,
  hashOf,
  cardOf,
  pay,
}: PayParts): PayIntent {
  return async (one) => {
    for (;;) {
      const intent = await current(one.intentId)
      if (intent.status === 'completed') return { intent, isNew: false }
      const payment = await beginUnlessMoved(intent, one)
      if (payment !== null) return { intent: await paid(intent, payment), isNew: true }
    }
  }

  async function current(id: string): Promise<Intent> {
    const intent = await store.find(id)
    if (intent === null) throw new Error(`checkout intent ${id} has gone`)
    return syncWithCharge(intent)
  }

  /** Null when another page was faster: what it made of the intent counts, so the intent is to be read again. */
  async function beginUnlessMoved(intent: Intent, one: PaymentTry): Promise<Payment | null> {
    try {
      return await begin(intent, one)
    } catch (error) {
      if ((await current(intent.id)).revision === intent.revision) throw error
      return null
    }
  }

  async function begin(intent: Intent, { paymentSource, sourceIp }: PaymentTry): Promise<Payment> {
    const paymentSourceHash = hashOf(paymentSource)
    const failure = failureOf(intent, paymentSourceHash)
    if (failure !== null) throw paymentFailed(failure)
    decidePayment(intent)
    const merchant = await merchantOf(intent.merchantId)
    if (merchant === null) throw new Error(`merchant ${intent.merchantId} has gone`)
    const { content } = intent.configuration
    refuse(faultsOf(await cardOf(merchant.id, paymentSource), content))
    const caller = { merchant, userId: null, sourceIp, idempotentRequest: null }
    const take = async (queries: Queries, chargeId: string) => {
      const taken = await payments.begin(queries, intent, { chargeId, paymentSourceHash })
      if (taken === null) throw checkoutExpired()
    }
    return pay(caller, chargeOf(intent, paymentSource), content.capture === 'now', take)
  }

  /** The intent after a successful payment; throws what the card holder reads after a failed one. */
  async function paid(intent: Intent, payment: Payment): Promise<Intent> {
    const synced = await syncWithCharge({ ...intent, chargeId: payment.chargeId }, payment)
    if (payment.code !== null) throw paymentFailed(payment.code)
    if (payment.outcome === 'open') throw outcomeUnknown()
    return synced
  }
}

function refuse(details: ErrorDetail[]): void {
  if (details.length === 0) return
  throw new ServiceError('validation_error', 'This card is not taken here. Correct what details names.', {
    details,
  })
}

/** The request for an intent's charge: only the card comes from the page, the amount and all else from the intent. */
function chargeOf(intent: Intent, token: string): ChargeRequest {
  const { amount, currency, reference, description, customer } = intent
  const { email, phone, billing_address: address } = customer
  return {
    amount,
    currency,
    token,
    ...(reference !== null && { reference }),
    ...(description !== null && { description }),
    customer: { email, phone, payment_source: address },
  }
}
