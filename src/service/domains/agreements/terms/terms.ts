import type { Cents } from '../../../../contract/api/fields/amount.ts'
import type { Frequency, PaymentTerms } from '../../../../contract/api/agreements/payment-terms.ts'
import type { Day } from './day.ts'

interface PaymentOnDay {
  date: Day
  amount: Cents
}

/** What an agreement pays and how often; which of it can stand together, the contract's schema says (contract §6.3). */
export interface Terms {
  amountType: PaymentTerms['amount_type']
  /** Of each payment, when fixed. */
  amount: Cents | null
  maximumAmount: Cents | null
  frequency: Frequency | null
  countPerPeriod: number | null
  /** The day of each period, from 1, on which the service collects. */
  pointInPeriod: number | null
  firstPayment: PaymentOnDay | null
  lastPayment: PaymentOnDay | null
}

export function toTerms(terms: PaymentTerms): Terms {
  return {
    amountType: terms.amount_type,
    amount: terms.amount ?? null,
    maximumAmount: terms.maximum_amount ?? null,
    frequency: terms.frequency ?? null,
    countPerPeriod: terms.count_per_period ?? (isUncounted(terms) ? 1 : null),
    pointInPeriod: terms.point_in_period ?? null,
    firstPayment: terms.first_payment ?? null,
    lastPayment: terms.last_payment ?? null,
  }
}

/** Recurring, without a number of payments a period or a day for them. */
function isUncounted({ frequency, point_in_period: point }: PaymentTerms): boolean {
  return frequency !== undefined && point === undefined
}
