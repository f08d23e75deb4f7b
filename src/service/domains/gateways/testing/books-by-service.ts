import type { ChargeResource } from '../../../../contract/api/charges/charge-resource.ts'
import type { Books } from './gateway-bed.ts'

const toCents = (amount: number) => Math.round(amount * 100)

/** The books that a gateway should have of a charge, in the service's own view; none when no money is held or taken. */
export function booksBy(charge: ChargeResource): Books[] {
  const done = (type: string) =>
    charge.transactions.find((one) => one.type === type && one.status === 'complete')
  switch (charge.status) {
    case 'pending':
      return [{ held: toCents(charge.amount), taken: 0, refunded: 0 }]
    case 'complete':
    case 'refunded': {
      const taken = (done('capture') ?? done('sale'))?.amount ?? 0
      const refunded = charge.statistics.total_refunded_amount
      return [{ held: 0, taken: toCents(taken), refunded: toCents(refunded) }]
    }
    case 'cancelled':
    case 'failed':
    case 'not_authenticated':
    case 'pre_authentication_pending':
      return []
    case 'processing':
      throw new Error('its outcome is still open')
  }
}
