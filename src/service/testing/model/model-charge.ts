import type { DeclineCode } from '../../../contract/api/decline-codes.ts'

/** The result of a movement in the model. An open movement has one too: what the gateway will say when asked. */
export type Result = 'approved' | 'unreachable' | 'not_received' | DeclineCode

export interface Move {
  type: 'sale' | 'capture' | 'cancel' | 'refund'
  cents: number
  result: Result
  isOpen: boolean
  /** Made by the service itself, because the hold's time was over. */
  isExpiry: boolean
}

/** A charge of the model; its state follows from its moves alone. */
export interface ModelCharge {
  owner: string
  cents: number
  preAuth: boolean
  isHoldOver: boolean
  moves: Move[]
}

export type Status = 'processing' | 'pending' | 'complete' | 'cancelled' | 'failed' | 'refunded'

/** The part of a charge that is compared with the service's answers. */
export interface ChargeView {
  status: Status
  amount: number
  capture: boolean
  refunded: number
  transactions: string[]
}

const approved = (charge: ModelCharge, type: Move['type']) =>
  charge.moves.filter((move) => move.type === type && !move.isOpen && move.result === 'approved')

export const isMoving = ({ moves }: ModelCharge): boolean => moves.some(({ isOpen }) => isOpen)

/** What was taken and not refunded, in cents. */
export function leftOf(charge: ModelCharge): number {
  const taken = approved(charge, charge.preAuth ? 'capture' : 'sale')[0]?.cents ?? 0
  return taken - refundedOf(charge)
}

const refundedOf = (charge: ModelCharge) =>
  approved(charge, 'refund').reduce((sum, { cents }) => sum + cents, 0)

export function statusOf(charge: ModelCharge): Status {
  const [sale] = charge.moves
  if (sale?.isOpen !== false) return 'processing'
  if (sale.result !== 'approved') return 'failed'
  if (approved(charge, 'cancel').length > 0) return 'cancelled'
  if (refundedOf(charge) > 0 && leftOf(charge) === 0) return 'refunded'
  return charge.preAuth && approved(charge, 'capture').length === 0 ? 'pending' : 'complete'
}

/** The charge as it is, or as it was once `moves` of its moves were done. */
export function viewOf(whole: ModelCharge, moves = whole.moves.length): ChargeView {
  const charge = { ...whole, moves: whole.moves.slice(0, moves) }
  const status = statusOf(charge)
  return {
    status,
    amount: charge.cents / 100,
    capture: status === 'complete' || status === 'refunded',
    refunded: refundedOf(charge) / 100,
    transactions: charge.moves.map((move) => transactionOf(move, status)),
  }
}

function transactionOf({ type, cents, isOpen, result }: Move, status: Status): string {
  const words = (state: string) => `${type} ${state} ${String(cents / 100)}`
  if (isOpen) return words('pending')
  if (result !== 'approved') return `${words('failed')} ${codeOf(result)}`
  if (type !== 'sale' || status === 'complete' || status === 'refunded') return words('complete')
  return words(status === 'cancelled' ? 'cancelled' : 'pending')
}

/** The error code in the answer to a movement that did not succeed. */
export function codeOf(result: Exclude<Result, 'approved'>): string {
  return result === 'unreachable' || result === 'not_received' ? 'gateway_unavailable' : result
}
