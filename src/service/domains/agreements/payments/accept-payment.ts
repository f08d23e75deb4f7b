import type { AgreementPaymentRequest } from '../../../../contract/api/agreements/agreement-request.ts'
import type { TimeOfDay } from '../../../platform/clocks.ts'
import { isConflict } from '../../../platform/database/sql-state.ts'
import type { Database, Queries } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { refuseOtherRequest, idempotencyKeyReused } from '../../../platform/idempotency.ts'
import type { IdempotentRequest } from '../../../platform/idempotency.ts'
import type { CreateId } from '../../../platform/identifiers.ts'
import type { AgreementStore } from '../agreement-store.ts'
import type { Agreement } from '../agreement.ts'
import { dayAt } from '../terms/day.ts'
import { isLastOn, refusalOf } from './decide-payment.ts'
import type { PaymentStore } from './payment-store.ts'
import { paymentAt } from './payment.ts'
import type { Payment } from './payment.ts'

/** A payment that a merchant asks for. */
export interface AskedPayment {
  merchantId: string
  agreementId: string
  request: AgreementPaymentRequest
  /** Null: it was sent without a key, so it is another payment each time. */
  idempotentRequest: IdempotentRequest | null
}

/** `isReplay`: the request came before under its key; the payment is as it was right after it was accepted. */
export interface AcceptedPayment {
  payment: Payment
  isReplay: boolean
}

interface Parts {
  database: Pick<Database, 'transaction'>
  store: Pick<PaymentStore, 'tally' | 'add' | 'findByRequest'>
  agreements: Pick<AgreementStore, 'lock'>
  createId: CreateId
  timeOfDay: TimeOfDay
}

/**
 * Accepts a payment, to be sent, or finds the one that the same request made before: its key is kept with it. The agreement is locked
 * meanwhile: of many requests at once each sees what those before it have added. Throws `not_found`, `unfulfilled_condition` or
 * `outside_terms` where the agreement does not allow it, and `idempotency_key_reused` for another request under the key.
 */
export async function acceptPayment(parts: Parts, asked: AskedPayment): Promise<AcceptedPayment> {
  const { agreements, database, store } = parts
  const accepted = database.transaction(async (queries) => {
    const agreement = await agreements.lock(queries, asked.merchantId, asked.agreementId)
    if (agreement === null) throw new ServiceError('not_found', 'There is no agreement with this id.')
    const made = await madeBefore(store, queries, asked.idempotentRequest)
    if (made !== null) return { payment: made, isReplay: true }
    return { payment: await add(parts, queries, agreement, asked), isReplay: false }
  })
  return accepted.catch((error: unknown) => {
    // At the same time the key was used for a payment of another agreement.
    throw isConflict(error, 'agreement_payments_by_request') ? idempotencyKeyReused('request') : error
  })
}

async function madeBefore(
  store: Parts['store'],
  queries: Queries,
  idempotentRequest: IdempotentRequest | null,
): Promise<Payment | null> {
  if (idempotentRequest === null) return null
  const known = await store.findByRequest(queries, idempotentRequest.key)
  if (known === null) return null
  refuseOtherRequest(known.hash, idempotentRequest)
  return paymentAt(known.payment, 'payment.received')
}

async function add(
  { store, createId, timeOfDay }: Parts,
  queries: Queries,
  agreement: Agreement,
  { request, idempotentRequest }: AskedPayment,
): Promise<Payment> {
  const now = timeOfDay.epochMs()
  const day = dayAt(now)
  const tally = (await store.tally(queries, [{ agreement, day }])).get(agreement.id)
  if (tally === undefined) throw new Error('an agreement was not tallied')
  const isLast = request.last_payment || isLastOn(agreement, day)
  const refusal = refusalOf(agreement, { amount: request.amount, day, isLast }, tally)
  if (refusal !== null) throw new ServiceError(refusal.code, refusal.message)
  const added = {
    id: createId(),
    agreementId: agreement.id,
    merchantId: agreement.merchantId,
    agreementVersion: agreement.version,
    agreementRevision: agreement.revision,
    amount: request.amount,
    reference: request.reference,
    description: request.description ?? null,
    isLast,
    dueOn: null,
    countsOn: day,
    idempotentRequest,
    eventId: createId(),
  }
  const [payment] = await store.add(queries, [added], 'merchant', new Date(now))
  if (payment === undefined) throw new Error('a payment was added without a row')
  return payment
}
