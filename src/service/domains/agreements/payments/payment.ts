import type { AgreementPaymentResource } from '../../../../contract/api/agreements/agreement-payment-resource.ts'
import type { Cents } from '../../../../contract/api/fields/amount.ts'
import type { Moves } from '../../../platform/state-machine.ts'
import type { Day } from '../terms/day.ts'

export type PaymentState = AgreementPaymentResource['status']

/** `send`: it is given to the network, which from then on may have it. */
export type PaymentAction = 'send' | 'settle' | 'fail' | 'investigate'

/** Where a payment can go (contract §6.5). */
export const paymentMoves: Moves<PaymentState, PaymentAction> = {
  received: { send: 'processing' },
  processing: { settle: 'settled', fail: 'failed', investigate: 'under_investigation' },
  under_investigation: { settle: 'settled', fail: 'failed' },
  settled: {},
  failed: {},
}

export type PaymentFailure = NonNullable<AgreementPaymentResource['failure']>

/** One payment of an agreement. */
export interface Payment {
  /** The network tells payments apart by it. */
  id: string
  agreementId: string
  merchantId: string
  agreementVersion: number
  status: PaymentState
  amount: Cents
  reference: string
  description: string | null
  /** No other payment follows, once this one has not failed. */
  isLast: boolean
  /** The day for which the service made it; null when the merchant sent it. */
  dueOn: Day | null
  /** The day of the period that it counts for: `dueOn`, or the day on which it was sent. */
  countsOn: Day
  failure: PaymentFailure | null
  networkReference: string | null
  createdAt: Date
  /** When it was given to the network. */
  sentAt: Date | null
  investigatedAt: Date | null
  /** When it settled or failed. */
  endedAt: Date | null
  updatedAt: Date
}

/** What had not happened yet right after an event, by its type. */
const NOT_YET = { failure: null, networkReference: null, investigatedAt: null, endedAt: null } as const

/** A payment as it was right after one of its events, `payment.…`: later changes are undone. */
export function paymentAt(payment: Payment, eventType: string): Payment {
  const { createdAt, sentAt, investigatedAt } = payment
  switch (eventType) {
    case 'payment.received':
      return { ...payment, ...NOT_YET, status: 'received', sentAt: null, updatedAt: createdAt }
    case 'payment.processing':
      return { ...payment, ...NOT_YET, status: 'processing', updatedAt: sentAt ?? createdAt }
    case 'payment.under_investigation': {
      const updatedAt = investigatedAt ?? createdAt
      return { ...payment, failure: null, endedAt: null, status: 'under_investigation', updatedAt }
    }
    default:
      return payment
  }
}
