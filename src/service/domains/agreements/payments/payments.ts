import type { AgreementPaymentRequest } from '../../../../contract/api/agreement-request.ts'
import type { TimeOfDay } from '../../../platform/clocks.ts'
import type { Database } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { CreateId } from '../../../platform/identifiers.ts'
import type { PageFilter } from '../../../platform/listing/page-query.ts'
import type { AgreementStore } from '../agreement-store.ts'
import { dayAt } from '../terms/day.ts'
import { isLastOn, refusalOf } from './decide-payment.ts'
import type { PaymentStore } from './payment-store.ts'
import { paymentAt } from './payment.ts'
import type { Payment } from './payment.ts'

/** What a merchant can do with the payments of its agreements; each throws `not_found` for what is not its own. */
export interface Payments {
  /** Accepts one, to be sent. Throws `unfulfilled_condition` or `outside_terms` where the agreement does not allow it. */
  accept: (merchantId: string, agreementId: string, request: AgreementPaymentRequest) => Promise<Payment>
  get: (merchantId: string, id: string) => Promise<Payment>
  list: (merchantId: string, agreementId: string, filter: PageFilter) => Promise<Payment[]>
  /** The payment that an event is about, as it was right after it. */
  paymentAsOf: (event: { type: string; subject: string }) => Promise<Payment>
}

interface Parts {
  database: Pick<Database, 'transaction'>
  store: PaymentStore
  agreements: Pick<AgreementStore, 'lock' | 'findOf'>
  createId: CreateId
  timeOfDay: TimeOfDay
}

export function createPayments(parts: Parts): Payments {
  const { store, agreements } = parts
  return {
    accept: (merchantId, agreementId, request) => accept(parts, merchantId, agreementId, request),
    async get(merchantId, id) {
      const payment = await store.find(id)
      return payment?.merchantId === merchantId ? payment : notFound('payment')
    },
    async list(merchantId, agreementId, filter) {
      const agreement = (await agreements.findOf(merchantId, agreementId)) ?? notFound('agreement')
      return store.list(agreement.id, filter)
    },
    async paymentAsOf({ type, subject }) {
      const payment = (await store.find(subject)) ?? notFound('payment')
      return paymentAt(payment, type)
    },
  }
}

/** While it decides, the agreement is locked: of many requests at once each sees what those before it have added. */
async function accept(
  { database, store, agreements, createId, timeOfDay }: Parts,
  merchantId: string,
  agreementId: string,
  request: AgreementPaymentRequest,
): Promise<Payment> {
  return database.transaction(async (queries) => {
    const agreement = (await agreements.lock(queries, merchantId, agreementId)) ?? notFound('agreement')
    const now = timeOfDay.epochMs()
    const day = dayAt(now)
    const tally = (await store.tally(queries, [{ agreement, day }])).get(agreement.id)
    if (tally === undefined) throw new Error('an agreement was not tallied')
    const isLast = request.last_payment || isLastOn(agreement, day)
    const refusal = refusalOf(agreement, { amount: request.amount, day, isLast }, tally)
    if (refusal !== null) throw new ServiceError(refusal.code, refusal.message)
    const added = {
      id: createId(),
      agreementId,
      merchantId,
      agreementVersion: agreement.version,
      amount: request.amount,
      reference: request.reference,
      description: request.description ?? null,
      isLast,
      dueOn: null,
      countsOn: day,
      eventId: createId(),
    }
    const [payment] = await store.add(queries, [added], 'merchant', new Date(now))
    if (payment === undefined) throw new Error('a payment was added without a row')
    return payment
  })
}

function notFound(what: 'agreement' | 'payment'): never {
  throw new ServiceError('not_found', `There is no ${what} with this id.`)
}
