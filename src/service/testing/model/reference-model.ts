import { codeOf, isMoving, lastOf, leftOf, refundedOf, statusOf, viewOf } from './model-charge.ts'
import type { ChargeView, ModelCharge, Move, Result, Status } from './model-charge.ts'
import type { CardKind, Operation, ToldMove, Who } from './operation.ts'

/** The answer that the model expects to an operation. */
export interface Expected {
  status: number
  /** The error's code; null on success. */
  code: string | null
  charge: ChargeView | null
  isReplay: boolean
}

interface Known {
  request: string
  charge: ModelCharge
  /** How many moves the charge had with the one that this request made. */
  moves: number
}

type Movement = Extract<Operation, { do: 'sell' | 'capture' | 'cancel' | 'refund' }>
interface BegunMove {
  type: Move['type']
  cents: number
  result: Result
  isLost: boolean
}

const refused = (status: number, code: string): Expected => ({ status, code, charge: null, isReplay: false })
const NOT_VALID = refused(400, 'validation_error')
const NOT_FOUND = refused(404, 'not_found')
const NO_TOKEN = refused(400, 'token_not_found')
const BUSY = refused(409, 'request_in_progress')
const WRONG_STATE = refused(422, 'unfulfilled_condition')
const EXPIRED = refused(422, 'authorisation_expired')

/** A reference model of the contract's charges (§2, §4): short, without a database, a gateway or time. */
export class ReferenceModel {
  readonly tokens: { card: CardKind; isSpent: boolean }[] = []
  readonly charges: ModelCharge[] = []
  readonly #known = new Map<string, Known>()

  tokenise(card: CardKind): Expected {
    if (card === 'wrong number' || card === 'expired') return NOT_VALID
    this.tokens.push({ card, isSpent: false })
    return { status: 201, code: null, charge: null, isReplay: false }
  }

  /** `request` identifies a request among those of its route. */
  move(operation: Movement, request: string): Expected {
    const asked = askedOf(operation)
    if (asked === null) return NOT_VALID
    const { key, as } = operation
    const place = key === null ? null : `${as} ${operation.do} ${key}`
    const known = place === null ? undefined : this.#known.get(place)
    if (place !== null && known !== undefined) return this.#again(place, known, request)
    const begun = operation.do === 'sell' ? this.#sell(operation, asked ?? 0) : this.#follow(operation, asked)
    if ('status' in begun) return begun
    const { charge, move } = begun
    charge.moves.push({ ...move, isOpen: move.isLost, isExpiry: false })
    if (place !== null && (move.isLost || move.result !== 'unreachable'))
      this.#known.set(place, { request, charge, moves: charge.moves.length })
    return answerOf(charge, charge.moves.length, false)
  }

  read(index: number, as: Who): Expected {
    const charge = this.charges[index]
    if (charge?.owner !== as) return NOT_FOUND
    return { status: 200, code: null, charge: viewOf(charge), isReplay: false }
  }

  endHold(index: number): void {
    const charge = this.charges[index]
    if (charge !== undefined && statusOf(charge) === 'pending') charge.isHoldOver = true
  }

  /** Whether what the gateway tells changes a charge (contract §4). What does not fit is left out here: it would wait. */
  tell(index: number, what: ToldMove, cents: number): boolean {
    const charge = this.charges[index]
    if (charge === undefined || isMoving(charge)) return false
    const move = TOLD[what](charge, cents)
    if (move !== null) charge.moves.push({ ...move, result: 'approved', isOpen: false, isTold: true })
    return move !== null
  }

  resolve(): void {
    for (const charge of this.charges) this.#resolve(charge)
  }

  release(): void {
    for (const charge of this.charges) {
      if (statusOf(charge) !== 'pending' || isMoving(charge) || !charge.isHoldOver) continue
      charge.moves.push({
        type: 'cancel',
        cents: charge.cents,
        result: 'approved',
        isOpen: false,
        isExpiry: true,
      })
    }
  }

  #sell({ token: index, capture, as }: Extract<Operation, { do: 'sell' }>, cents: number) {
    if (!capture && as === 'other') return refused(403, 'feature_not_enabled')
    const token = this.tokens[index]
    if (token === undefined || token.isSpent || as === 'other') return NO_TOKEN
    const course = courseOf(cents, token.card)
    token.isSpent = course.result !== 'unreachable'
    const charge: ModelCharge = { owner: as, cents, preAuth: !capture, isHoldOver: false, moves: [] }
    this.charges.push(charge)
    return { charge, move: { type: 'sale' as const, cents, ...course } }
  }

  #follow({ do: type, charge: index, as }: Exclude<Movement, { do: 'sell' }>, asked: number | undefined) {
    const charge = this.charges[index]
    if (charge?.owner !== as) return NOT_FOUND
    const refusal = type === 'refund' ? refuseRefund(charge, asked) : refuseSettling(charge, asked)
    if (refusal !== null) return refusal
    const cents = asked ?? (type === 'refund' ? leftOf(charge) : charge.cents)
    const course =
      type === 'cancel' ? { result: 'approved' as const, isLost: false } : courseOf(cents, 'approved')
    return { charge, move: { type, cents, ...course } satisfies BegunMove }
  }

  #again(place: string, { request, charge, moves }: Known, asked: string): Expected {
    if (request !== asked) return refused(422, 'idempotency_key_reused')
    if (charge.moves[moves - 1]?.isOpen === true) this.#resolve(charge)
    const answer = answerOf(charge, moves, true)
    this.#forgetUndone(place)
    return answer
  }

  #resolve(charge: ModelCharge): void {
    charge.moves = charge.moves.map((move) => ({ ...move, isOpen: false }))
    for (const place of this.#known.keys()) this.#forgetUndone(place)
  }

  /** Where nothing was done the same request may be sent again, except for a lost sale, which has used up its token. */
  #forgetUndone(place: string): void {
    const known = this.#known.get(place)
    const move = known?.charge.moves[known.moves - 1]
    if (move?.isOpen === false && move.result === 'not_received' && move.type !== 'sale')
      this.#known.delete(place)
  }
}

type Told = Pick<Move, 'type' | 'cents' | 'isExpiry' | 'reverses'>

const told = (type: Move['type'], cents: number): Told => ({ type, cents, isExpiry: false })
const hasStatus = (charge: ModelCharge, ...statuses: Status[]) => statuses.includes(statusOf(charge))

/** What the gateway tells → the move that it becomes; null where the charge can't make it. */
const TOLD: Readonly<Record<ToldMove, (charge: ModelCharge, cents: number) => Told | null>> = {
  'capture failed': (charge) =>
    hasStatus(charge, 'complete') && refundedOf(charge) === 0
      ? reversalOf(charge, charge.preAuth ? 'capture' : 'sale')
      : null,
  'refund failed': (charge) => reversalOf(charge, 'refund'),
  'cancel refused': (charge) => (charge.isHoldOver ? null : reversalOf(charge, 'cancel')),
  'hold gone': (charge) =>
    hasStatus(charge, 'pending') ? { ...told('cancel', charge.cents), isExpiry: true } : null,
  'captured by hand': (charge, cents) =>
    hasStatus(charge, 'pending') && cents <= charge.cents ? told('capture', cents) : null,
  'cancelled by hand'(charge) {
    if (hasStatus(charge, 'pending')) return told('cancel', charge.cents)
    const isTaken = hasStatus(charge, 'complete') && !charge.preAuth && refundedOf(charge) === 0
    return isTaken ? told('refund', charge.cents) : null
  },
  'refunded by hand': (charge, cents) =>
    hasStatus(charge, 'complete') && cents <= leftOf(charge) ? told('refund', cents) : null,
}

/** A hold stands again unless its time is over; a sale that took the money at once has none. */
function reversalOf(charge: ModelCharge, type: 'sale' | 'capture' | 'cancel' | 'refund'): Told | null {
  const move = lastOf(charge, type)
  if (move === undefined) return null
  const isMoneyLost = type === 'sale' || (type === 'capture' && charge.isHoldOver)
  const reverses = { place: charge.moves.indexOf(move), isMoneyLost }
  return { type: 'reversal', cents: move.cents, isExpiry: false, reverses }
}

function refuseSettling(charge: ModelCharge, asked: number | undefined): Expected | null {
  const status = statusOf(charge)
  const isReleased = status === 'cancelled' && charge.moves.some(({ isExpiry }) => isExpiry)
  if (isReleased || (status === 'pending' && charge.isHoldOver)) return EXPIRED
  if (isMoving(charge)) return BUSY
  if (status !== 'pending') return WRONG_STATE
  return asked !== undefined && asked > charge.cents ? refused(422, 'amount_exceeds_authorised') : null
}

function refuseRefund(charge: ModelCharge, asked: number | undefined): Expected | null {
  if (isMoving(charge)) return BUSY
  if (statusOf(charge) !== 'complete') return WRONG_STATE
  return asked !== undefined && asked > leftOf(charge) ? refused(422, 'amount_exceeds_captured') : null
}

function answerOf(charge: ModelCharge, moves: number, isReplay: boolean): Expected {
  const move = charge.moves[moves - 1]
  const view = viewOf(charge, moves)
  if (move === undefined || move.isOpen)
    return { status: 503, code: 'outcome_unknown', charge: view, isReplay: false }
  if (move.result === 'approved')
    return { status: move.type === 'cancel' ? 200 : 201, code: null, charge: view, isReplay }
  const code = codeOf(move.result)
  return { status: code === 'gateway_unavailable' ? 503 : 422, code, charge: view, isReplay }
}

/** The amount of a request in cents; undefined where it may be left out and is, null where it is wrong. */
function askedOf(operation: Movement): number | null | undefined {
  if (operation.do === 'cancel') return undefined
  const cents = centsOf(operation.amount)
  return operation.do === 'sell' && cents === undefined ? null : cents
}

/** Integer cents; undefined when absent, null when it is not an amount. */
function centsOf(amount: unknown): number | null | undefined {
  if (amount === undefined) return undefined
  if (typeof amount !== 'string' && typeof amount !== 'number') return null
  if (!/^\d+(\.\d\d?)?$/.test(String(amount))) return null
  const cents = Math.round(Number(amount) * 100)
  return cents >= 1 && cents <= 999_999_999 ? cents : null
}

const LOST: Readonly<Record<number, Result>> = { 68: 'approved', 69: 'not_received' }
const STEERED: Readonly<Record<number, Result>> = {
  51: 'insufficient_funds',
  54: 'credit_card_invalid_or_expired',
  59: 'fraud_warning',
  91: 'unreachable',
}

/** The sandbox's response to an amount and a card (contract §4). */
function courseOf(cents: number, card: CardKind): { result: Result; isLost: boolean } {
  if (card === 'declined') return { result: 'transaction_declined', isLost: false }
  const steer = cents >= 900_000 ? cents % 100 : 0
  const lost = LOST[steer]
  return lost === undefined
    ? { result: STEERED[steer] ?? 'approved', isLost: false }
    : { result: lost, isLost: true }
}
