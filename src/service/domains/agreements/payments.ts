import type { AgreementPaymentResource } from '../../../contract/api/agreements/agreement-payment-resource.ts'
import type { AgreementPaymentRequest } from '../../../contract/api/agreements/agreement-request.ts'
import type { Queries } from '../../platform/database/database.ts'
import { isConflict } from '../../platform/database/faults.ts'
import { ServiceError, notFound } from '../../platform/errors.ts'
import { refuseOtherRequest, idempotencyKeyReused } from '../../platform/idempotency.ts'
import type { IdempotentRequest } from '../../platform/idempotency.ts'
import type { PageFilter } from '../../platform/listing/page-query.ts'
import { findAgreementOf, lockAgreement } from './agreement-store.ts'
import type { Agreement } from './agreement.ts'
import { dayAt } from './calendar.ts'
import type { AgreementsDeps } from './deps.ts'
import { listPayments } from './payment-list.ts'
import { toPaymentResource } from './payment-resource.ts'
import { addPayments, findPayment, findPaymentByRequest, tallyPayments } from './payment-store.ts'
import { isLastOn, paymentAt, paymentRefusalOf } from './payment.ts'
import type { Payment } from './payment.ts'

/** A payment that a merchant asks for. */
export interface AskedPayment {
  merchantId: string
  agreementId: string
  request: AgreementPaymentRequest
  /** Null if it was sent without a key: then each request makes another payment. */
  idempotentRequest: IdempotentRequest | null
}

/** `isReplay`: the request came before under its key; the payment is shown as it was right after it was accepted. */
export interface AcceptedPayment {
  payment: Payment
  isReplay: boolean
}

/**
 * Accepts a payment, which the job 'send payments' sends later (jobs.ts), or finds the one that the same request made before: its key is
 * kept with it. The agreement is locked meanwhile, so of many requests at once each sees what the ones before it have added. Throws `not_found`,
 * `unfulfilled_condition` or `outside_terms` if the agreement does not allow it, and `idempotency_key_reused` for another request
 * under the key.
 */
export async function acceptPayment(deps: AgreementsDeps, asked: AskedPayment): Promise<AcceptedPayment> {
  const accepted = deps.database.transaction(async (queries) => {
    const agreement = await lockAgreement(queries, asked.merchantId, asked.agreementId)
    if (agreement === null) throw notFound('agreement')
    const replayed = await paymentMadeBefore(queries, asked.idempotentRequest)
    if (replayed !== null) return { payment: replayed, isReplay: true }
    return { payment: await addPayment(queries, deps, agreement, asked), isReplay: false }
  })
  return accepted.catch((error: unknown) => {
    // At the same time the key was used for a payment of another agreement.
    throw isConflict(error, 'agreement_payments_by_idempotency_key') ? idempotencyKeyReused('request') : error
  })
}

/** A merchant's payment; throws `not_found`. */
export async function readPayment(
  { database }: AgreementsDeps,
  merchantId: string,
  id: string,
): Promise<Payment> {
  const payment = await findPayment(database, id)
  if (payment?.merchantId !== merchantId) throw notFound('payment')
  return payment
}

/** A page of the payments of a merchant's agreement; throws `not_found`. */
export async function readPayments(
  { database }: AgreementsDeps,
  merchantId: string,
  agreementId: string,
  filter: PageFilter,
): Promise<Payment[]> {
  const agreement = await findAgreementOf(database, merchantId, agreementId)
  if (agreement === null) throw notFound('agreement')
  return listPayments(database, agreement.id, filter)
}

/** The payment that an event is about, on the wire, as it was right after. */
export async function paymentAfterEvent(
  { database }: AgreementsDeps,
  { type, subject }: { type: string; subject: string },
): Promise<AgreementPaymentResource> {
  const payment = await findPayment(database, subject)
  if (payment === null) throw notFound('payment')
  return toPaymentResource(paymentAt(payment, type))
}

async function paymentMadeBefore(
  queries: Queries,
  idempotentRequest: IdempotentRequest | null,
): Promise<Payment | null> {
  if (idempotentRequest === null) return null
  const known = await findPaymentByRequest(queries, idempotentRequest.key)
  if (known === null) return null
  refuseOtherRequest(known.hash, idempotentRequest)
  return paymentAt(known.payment, 'payment.received')
}

async function addPayment(
  queries: Queries,
  { createId, timeOfDay }: AgreementsDeps,
  agreement: Agreement,
  { request, idempotentRequest }: AskedPayment,
): Promise<Payment> {
  const now = timeOfDay.epochMs()
  const day = dayAt(now)
  const tallyOf = await tallyPayments(queries, [{ agreement, day }])
  const isLast = request.last_payment || isLastOn(agreement, day)
  const refusal = paymentRefusalOf(agreement, { amount: request.amount, day, isLast }, tallyOf(agreement))
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
  const [payment] = await addPayments(queries, [added], 'merchant', new Date(now))
  if (payment === undefined) throw new Error('a payment was added without a row')
  return payment
}
