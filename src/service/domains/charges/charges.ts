import type { Cents } from '../../../contract/api/fields/amount.ts'
import type { RefundRequest } from '../../../contract/api/charges/charge-request.ts'
import { ServiceError } from '../../platform/errors.ts'
import type { Caller } from './caller.ts'
import type { Charge } from './charge.ts'
import type { ChargeStore } from './charge-store.ts'
import type { NewAttempt } from './statements/movement-values.ts'
import { decideCancel, decideCapture, decideRefund, movedMeanwhile } from './decide.ts'
import { followUp } from './movements/follow-up.ts'
import type { Movement } from './movements/record-outcome.ts'
import { createSell } from './movements/sale.ts'
import type { SaleParts, Sell } from './movements/sale.ts'

/** What a merchant can do with charges. A movement is returned as it ended; one that a rule forbids throws a `ServiceError`. */
export interface Charges {
  /** Whosever it is: the others refuse one that is not the caller's as not found. */
  find: ChargeStore['find']
  findToken: SaleParts['findToken']
  sell: Sell
  /** Takes the money that is held: all of it, or `amount`; the rest is released. */
  capture: (caller: Caller, found: Charge | null, amount: Cents | undefined) => Promise<Movement>
  /** Releases the money that is held. */
  cancel: (caller: Caller, found: Charge | null) => Promise<Movement>
  /** Gives money back: all that is left, or `amount`. */
  refund: (caller: Caller, found: Charge | null, request: RefundRequest) => Promise<Movement>
  get: (merchantId: string, id: string) => Promise<Charge>
  list: ChargeStore['list']
}

export function createCharges(parts: SaleParts): Charges {
  const { store } = parts
  const ownOf = (merchantId: string, charge: Charge | null): Charge => {
    if (charge?.merchantId !== merchantId) {
      throw new ServiceError('not_found', 'There is no charge with this id.')
    }
    return charge
  }
  const get = async (merchantId: string, id: string) => ownOf(merchantId, await store.find(id))
  /** After a lost race the rule is applied again, to the charge as the winner has left it. */
  const follow = async (
    charge: Charge,
    instruction: Omit<NewAttempt, 'id' | 'reason'>,
    decide: (charge: Charge) => unknown,
  ): Promise<Movement> => {
    const movement = await followUp(parts, charge, { ...instruction, reason: null })
    if (movement !== null) return movement
    decide(await get(charge.merchantId, charge.id))
    throw movedMeanwhile()
  }
  return {
    find: store.find,
    findToken: parts.findToken,
    get,
    list: store.list,
    sell: createSell(parts),
    async capture({ merchant, ...caller }, found, asked) {
      const charge = ownOf(merchant.id, found)
      const decide = (current: Charge) => decideCapture(current, asked)
      return follow(charge, { type: 'capture', amount: decide(charge), reference: null, ...caller }, decide)
    },
    async cancel({ merchant, ...caller }, found) {
      const charge = ownOf(merchant.id, found)
      decideCancel(charge)
      return follow(
        charge,
        { type: 'cancel', amount: charge.amount, reference: null, ...caller },
        decideCancel,
      )
    },
    async refund({ merchant, ...caller }, found, { amount: asked, reference = null }) {
      const charge = ownOf(merchant.id, found)
      const decide = (current: Charge) => decideRefund(current, asked)
      return follow(charge, { type: 'refund', amount: decide(charge), reference, ...caller }, decide)
    },
  }
}
