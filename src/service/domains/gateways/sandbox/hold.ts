/** Funds that the sandbox keeps for a sale; amounts in cents. */
export interface Hold {
  amount: number
  captured: number
  refunded: number
  state: 'held' | 'captured' | 'voided'
  expired: boolean
}

type HoldMove = Pick<Hold, 'state' | 'captured' | 'refunded'>

/** A refused order, by its response code, or what the hold is after it. */
export type Decision = { code: string; hold: null } | { code: '00'; hold: HoldMove }

const refuse = (code: string): Decision => ({ code, hold: null })

/** What an order does to a hold: it is captured or released once, and given back up to what was captured. */
export function decide(
  kind: 'capture' | 'cancel' | 'refund',
  amount: number,
  hold: Hold | undefined,
): Decision {
  if (hold?.state !== (kind === 'refund' ? 'captured' : 'held')) return refuse('12')
  switch (kind) {
    case 'cancel':
      return { code: '00', hold: { ...hold, state: 'voided' } }
    case 'capture':
      if (hold.expired) return refuse('79')
      if (amount > hold.amount) return refuse('13')
      return { code: '00', hold: { ...hold, state: 'captured', captured: amount } }
    case 'refund':
      if (hold.refunded + amount > hold.captured) return refuse('13')
      return { code: '00', hold: { ...hold, refunded: hold.refunded + amount } }
  }
}
