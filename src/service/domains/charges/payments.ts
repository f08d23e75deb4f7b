import type { ChargeRequest } from '../../../contract/api/charges/charge-request.ts'
import type { ErrorCode } from '../../../contract/api/envelope.ts'
import type { InSameTransaction } from './statements/begin-together.ts'
import type { Caller } from './caller.ts'
import { saleOf } from './charge.ts'
import type { Charge } from './charge.ts'
import type { ChargeStore } from './charge-store.ts'
import { isTooLateToCapture } from './decide.ts'
import { refusalOf } from './refusal.ts'
import type { Sell } from './movements/sale.ts'

/** A charge for callers that only need to know whether it was paid; a hold counts as paid until its time is over. */
export interface Payment {
  chargeId: string
  /** `open`: the gateway has not said yet. */
  outcome: 'paid' | 'failed' | 'open'
  /** Why it failed. */
  code: ErrorCode | null
}

export interface Payments {
  /** A sale whose beginning commits with `inSameTransaction`, or neither does; throws what kept it from beginning. */
  pay: (
    caller: Caller,
    request: ChargeRequest,
    capture: boolean,
    inSameTransaction: InSameTransaction,
  ) => Promise<Payment>
  /** What has become of a charge. */
  paymentOf: (chargeId: string) => Promise<Payment>
}

export function createPayments({ store, sell }: { store: Pick<ChargeStore, 'find'>; sell: Sell }): Payments {
  return {
    pay: async (caller, request, capture, inSameTransaction) =>
      toPayment((await sell(caller, request, capture, { inSameTransaction })).charge),
    async paymentOf(chargeId) {
      const charge = await store.find(chargeId)
      if (charge === null) throw new Error(`charge ${chargeId} has gone`)
      return toPayment(charge)
    },
  }
}

function toPayment(charge: Charge): Payment {
  const refusal = refusalOf(saleOf(charge))?.code ?? null
  const code = refusal ?? (isTooLateToCapture(charge) ? 'authorisation_expired' : null)
  const isOpen = charge.status === 'processing'
  return { chargeId: charge.id, code, outcome: code !== null ? 'failed' : isOpen ? 'open' : 'paid' }
}
