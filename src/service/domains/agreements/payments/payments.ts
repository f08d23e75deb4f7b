import { ServiceError } from '../../../platform/errors.ts'
import type { PageFilter } from '../../../platform/listing/page-query.ts'
import type { AgreementStore } from '../agreement-store.ts'
import { acceptPayment } from './accept-payment.ts'
import type { AcceptedPayment, AskedPayment } from './accept-payment.ts'
import type { PaymentStore } from './payment-store.ts'
import { paymentAt } from './payment.ts'
import type { Payment } from './payment.ts'

/** What a merchant can do with the payments of its agreements; each throws `not_found` for what is not its own. */
export interface Payments {
  /** Accepts one, to be sent. Throws `unfulfilled_condition` or `outside_terms` where the agreement does not allow it. */
  accept: (asked: AskedPayment) => Promise<AcceptedPayment>
  get: (merchantId: string, id: string) => Promise<Payment>
  list: (merchantId: string, agreementId: string, filter: PageFilter) => Promise<Payment[]>
  /** The payment that an event is about, as it was right after it. */
  paymentAsOf: (event: { type: string; subject: string }) => Promise<Payment>
}

type Parts = Parameters<typeof acceptPayment>[0] & {
  store: PaymentStore
  agreements: Pick<AgreementStore, 'findOf'>
}

export function createPayments(parts: Parts): Payments {
  const { store, agreements } = parts
  return {
    accept: (asked) => acceptPayment(parts, asked),
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

function notFound(what: 'agreement' | 'payment'): never {
  throw new ServiceError('not_found', `There is no ${what} with this id.`)
}
