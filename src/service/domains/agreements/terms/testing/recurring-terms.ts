import type { Terms } from '../terms.ts'

/** Terms of 25.00 a month, but for what a test says otherwise. */
export function recurringTerms(changes: Partial<Terms> = {}): Terms {
  return {
    amountType: 'fixed',
    amount: 2500,
    maximumAmount: null,
    frequency: 'monthly',
    countPerPeriod: null,
    pointInPeriod: 15,
    firstPayment: null,
    lastPayment: null,
    ...changes,
  }
}
