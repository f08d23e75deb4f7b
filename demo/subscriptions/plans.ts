import type { Temporal } from 'temporal-polyfill'
import type { Terms } from '../card-service/agreement.ts'
import { asDecimal } from '../orders/money.ts'

/** Cents of one lamp of a subscription. */
export const SUBSCRIPTION_PRICE = 2_500

/** How often a lamp comes: on a day of its own, or when the subscriber asks for one. */
export const PLANS = ['monthly', 'weekly', 'on_demand'] as const
export type Plan = (typeof PLANS)[number]

/** The maximum number of lamps in a month when the subscriber asks for them. */
const MAX_ON_DEMAND = 2

/**
 * Terms of a plan that begins today. The service collects by itself on this day of the week or month; on demand it is the shop
 * that asks for each payment.
 */
export function termsOf(plan: Plan, today: Temporal.PlainDate): object {
  const fixed = { amount_type: 'fixed', amount: asDecimal(SUBSCRIPTION_PRICE) }
  switch (plan) {
    case 'monthly':
      return { ...fixed, frequency: 'monthly', point_in_period: today.day }
    case 'weekly':
      return { ...fixed, frequency: 'weekly', point_in_period: today.dayOfWeek }
    case 'on_demand':
      return { ...fixed, frequency: 'monthly', count_per_period: MAX_ON_DEMAND }
  }
}

/** The same terms at another price, as a request has them. */
export function termsAt(cents: number, terms: Terms): object {
  const { amount_type, frequency, count_per_period: count, point_in_period: point } = terms
  return {
    amount_type,
    amount: asDecimal(cents),
    frequency,
    // The service answers with both fields; a request may have only one of them.
    ...(point === null ? { count_per_period: count ?? 1 } : { point_in_period: point }),
  }
}
