import type { ChargeResource } from '../../../../contract/api/charges/charge-resource.ts'
import { centsOf } from '../../../formats/cents.ts'

/** What was moved by a charge, in integer cents. */
export interface ChargeMoney {
  amount: number
  captured: number
  refunded: number
  /** What disputes have taken back. */
  chargedBack: number
  /** What a refund may still give back. */
  refundable: number
  /** What a capture may take. */
  capturable: number
}

/** The sums of a charge. What was captured may be less than what was held. */
export function moneyOf(charge: ChargeResource): ChargeMoney {
  const taking = charge.authorization ? 'capture' : 'sale'
  const amount = centsOf(charge.amount)
  const captured = charge.transactions
    .filter(({ type, status }) => type === taking && status === 'complete')
    .reduce((sum, transaction) => sum + centsOf(transaction.amount), 0)
  const refunded = centsOf(charge.statistics.total_refunded_amount)
  const chargedBack = centsOf(charge.statistics.total_charged_back_amount)
  return {
    amount,
    captured,
    refunded,
    chargedBack,
    refundable: Math.max(0, captured - refunded - chargedBack),
    capturable: charge.status === 'pending' ? amount : 0,
  }
}
