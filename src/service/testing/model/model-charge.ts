import type { CHARGE_STATUSES } from '../../../contract/api/charges/charge-resource.ts'
import type { DeclineCode } from '../../../contract/api/decline-codes.ts'

/** The result of a movement in the model. An open movement has one too: what the gateway will say when asked. */
export type Result = 'approved' | 'unreachable' | 'not_received' | DeclineCode

export interface Move {
  type: 'sale' | 'capture' | 'cancel' | 'refund' | 'reversal'
  cents: number
  result: Result
  isOpen: boolean
  /** Made by the service itself, because the hold's time was over, or told by the gateway because it released the hold. */
  isExpiry: boolean
  /** Told by the gateway: the merchant did not ask for it. */
  isTold?: true
  /** Of a reversal: the place of the move that did not come about, and whether nothing is held any more. */
  reverses?: { place: number; isMoneyLost: boolean }
}

/** A charge of the model; its state follows from its moves alone. */
export interface ModelCharge {
  owner: string
  cents: number
  preAuth: boolean
  isHoldOver: boolean
  moves: Move[]
}

export type Status = (typeof CHARGE_STATUSES)[number]

/** The part of a charge that is compared with the service's answers. */
export interface ChargeView {
  status: Status
  amount: number
  capture: boolean
  refunded: number
  transactions: string[]
  __v: number
}

const isReversed = ({ moves }: ModelCharge, move: Move) =>
  moves.some(({ reverses }) => reverses !== undefined && moves[reverses.place] === move)

const approved = (charge: ModelCharge, type: Move['type']) =>
  charge.moves.filter(
    (move) => move.type === type && !move.isOpen && move.result === 'approved' && !isReversed(charge, move),
  )

/** The last move of a type that the merchant asked for and that came about. */
export const lastOf = (charge: ModelCharge, type: Move['type']): Move | undefined =>
  approved(charge, type).findLast(({ isTold, isExpiry }) => isTold !== true && !isExpiry)

export const isMoving = ({ moves }: ModelCharge): boolean => moves.some(({ isOpen }) => isOpen)

/** What was taken and not refunded, in cents. */
export const leftOf = (charge: ModelCharge): number => takenOf(charge) - refundedOf(charge)

export const takenOf = (charge: ModelCharge): number =>
  approved(charge, charge.preAuth ? 'capture' : 'sale')[0]?.cents ?? 0

export const refundedOf = (charge: ModelCharge) =>
  approved(charge, 'refund').reduce((sum, { cents }) => sum + cents, 0)

export function statusOf(charge: ModelCharge): Status {
  const [sale] = charge.moves
  if (sale?.isOpen !== false) return 'processing'
  const isMoneyLost = charge.moves.some(({ reverses }) => reverses?.isMoneyLost === true)
  if (sale.result !== 'approved' || isMoneyLost) return 'failed'
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
    transactions: charge.moves.map((move) => transactionOf(charge, move, status)),
    __v: charge.moves.slice(1).filter(({ isOpen, result }) => !isOpen && result === 'approved').length,
  }
}

function transactionOf(charge: ModelCharge, move: Move, status: Status): string {
  const { type, cents, isOpen, result } = move
  const words = (state: string) => `${type} ${state} ${String(cents / 100)}`
  if (isOpen) return words('pending')
  if (isReversed(charge, move)) return `${words('failed')} transaction_declined`
  if (result !== 'approved') return `${words('failed')} ${codeOf(result)}`
  if (type !== 'sale' || status === 'complete' || status === 'refunded') return words('complete')
  if (status === 'failed') return words('failed')
  return words(status === 'cancelled' ? 'cancelled' : 'pending')
}

type EventNames = Readonly<Record<Exclude<Move['type'], 'reversal'>, string>>
const DONE: EventNames = { sale: 'captured', capture: 'captured', cancel: 'cancelled', refund: 'refunded' }
const FAILED: EventNames = {
  sale: 'failed',
  capture: 'capture_failed',
  cancel: 'cancel_failed',
  refund: 'refund_failed',
}

/** A sale that took the money at once was a capture too. */
function failedLater(type: Move['type'] | undefined): string {
  if (type === undefined || type === 'reversal') throw new Error('a reversal is of a move')
  return type === 'sale' ? FAILED.capture : FAILED[type]
}

/** The events that a merchant has of a charge, in the order of their moves. */
export function eventsOf(charge: ModelCharge): string[] {
  return charge.moves.map(({ type, result, reverses, isExpiry }) => {
    if (type === 'reversal') return failedLater(charge.moves[reverses?.place ?? -1]?.type)
    if (result !== 'approved') return FAILED[type]
    if (isExpiry) return 'expired'
    return type === 'sale' && charge.preAuth ? 'authorised' : DONE[type]
  })
}

/** The error code in the answer to a movement that did not succeed. */
export function codeOf(result: Exclude<Result, 'approved'>): string {
  return result === 'unreachable' || result === 'not_received' ? 'gateway_unavailable' : result
}
