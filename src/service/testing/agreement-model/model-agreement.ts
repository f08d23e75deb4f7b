import { isOver, ModelBank, statusAfter } from './model-bank.ts'
import type { DebtorName, Instruction, Move, Notice, Status } from './model-bank.ts'
import { CHANGE_OF, sharedSuspension } from './model-change.ts'
import type { HistoryEntry, Party, PendingAmendment, Asked, Suspension } from './model-change.ts'
import { amountOf, isLastOn, maxCents, refusalOf, stateOf } from './model-payment.ts'
import type { ModelPayment, PaymentStatus } from './model-payment.ts'
import { dueDayAfter } from './model-terms.ts'
import type { AgreementType, ModelTerms, Schedule } from './model-terms.ts'
import { dayAt } from './sydney-calendar.ts'
import type { Day } from './sydney-calendar.ts'

/** By how many days a due day may be late and still be collected. */
const MAX_DAYS_LATE = 5

/** An instruction that the bank has not got yet. `changes`: how often the agreement had changed by then, itself included. */
export interface QueuedInstruction {
  instruction: Instruction
  changes: number
  queuedAt: number
  /** When it is looked at next; later than now where it had to wait for a payment. */
  lookAt: number
}

/** The model of an agreement (contract §6): its history, its payments, and the instructions that its bank has not got yet. */
export class ModelAgreement implements Schedule {
  readonly type: AgreementType
  readonly debtor: DebtorName
  readonly requiredBy: number
  readonly start: Day
  readonly bank: ModelBank
  readonly history: HistoryEntry[] = []
  readonly payments: ModelPayment[] = []
  readonly instructions: QueuedInstruction[] = []
  end: Day | null
  terms: ModelTerms
  max: number | null
  status: Status = 'created'
  version = 0
  suspendedBy: Suspension | null = null
  pending: PendingAmendment | null = null
  /** Counts everything that changes the ETag. */
  changes = -1
  /** The last day up to which due days are done: collected or skipped. */
  #handled: Day = 0

  constructor(asked: Asked, now: number) {
    this.type = asked.type
    this.debtor = asked.debtor
    this.requiredBy = asked.requiredBy
    this.start = asked.start
    this.end = asked.end
    this.terms = asked.terms
    this.max = asked.max
    this.bank = new ModelBank(asked.debtor)
    this.note('created', 'creditor', now)
    this.tell({ tell: 'create', requiredBy: asked.requiredBy, cents: maxCents(asked.terms) }, now)
  }

  /** The next day on which the service collects; null where there is none. */
  get nextDue(): Day | null {
    return dueDayAfter(this, this.#handled)
  }

  /** The next message to the bank, after all others. */
  tell(instruction: Instruction, now: number): void {
    this.instructions.push({ instruction, changes: this.changes, queuedAt: now, lookAt: now })
  }

  note(type: string, by: Party, now: number): void {
    this.history.push({ type, status: this.status, version: this.version, by, at: now })
    this.changes += 1
  }

  /** False where the table lacks the move, or somebody else has suspended it. `at`: when it was done; `now`: when the service hears of it. */
  move(move: Move, by: Party, now: number, at = now): boolean {
    const shared = sharedSuspension(this.suspendedBy, move, by)
    if (shared !== null) return this.#share(shared, move, by, now)
    const status = statusAfter(this.status, move)
    if (status === null || (move === 'release' && this.suspendedBy !== by)) return false
    if (move === 'accept') this.#handled = dayAt(at) - 1
    if (move === 'release') this.#skipUntil(dayAt(at) - 1, now)
    this.status = status
    this.suspendedBy = status === 'suspended' && by !== 'service' ? by : null
    if (isOver(status)) this.pending = null
    this.note(CHANGE_OF[move], by, now)
    if (by !== 'debtor') this.#tellOf(move, now)
    return true
  }

  /** Applies what the debtor did at its bank. If it comes too late, it is not applied, and the bank hears so. */
  hear({ answer, amendment, at }: Notice, now: number): void {
    if (answer !== 'accept_amendment' && answer !== 'decline_amendment') {
      if (!this.move(answer, 'debtor', now, at)) this.#insist(now)
      return
    }
    if (this.pending?.amendment !== amendment) {
      this.#insist(now)
      return
    }
    if (answer === 'accept_amendment') this.#amend(this.pending, now)
    else this.dropAmendment('amendment_declined', 'debtor', now)
  }

  askToAmend(pending: PendingAmendment, now: number): void {
    const { amendment, requiredBy } = pending
    this.pending = pending
    this.note('amendment_requested', 'creditor', now)
    const cents = maxCents(pending.terms ?? this.terms)
    this.tell({ tell: 'amend', amendment, requiredBy, cents }, now)
  }

  dropAmendment(type: 'amendment_declined' | 'amendment_lapsed', by: Party, now: number): void {
    this.pending = null
    this.note(type, by, now)
  }

  /** Collects what is due. */
  collect(now: number): void {
    const today = dayAt(now)
    for (
      let due = this.nextDue;
      this.status === 'active' && due !== null && due <= today;
      due = this.nextDue
    ) {
      if (due < today - MAX_DAYS_LATE) this.#skipUntil(today - MAX_DAYS_LATE - 1, now)
      else this.#collectFor(due, now)
    }
  }

  /** Expires after the end date. The history of a suspended agreement then says that due days were skipped. */
  expireByDate(now: number): void {
    const { end, nextDue } = this
    if (end === null || end >= dayAt(now) || statusAfter(this.status, 'expire') === null) return
    if (this.status === 'active' && nextDue !== null) return
    this.#skipUntil(end, now)
    this.move('expire', 'service', now)
  }

  add(
    payment: Pick<ModelPayment, 'cents' | 'isLast' | 'dueOn' | 'countsOn' | 'reference'>,
    now: number,
  ): void {
    const states: PaymentStatus[] = ['received']
    const unsent = { lookAt: now, askedAt: null, verdict: null, endedAt: null }
    const { version, changes } = this
    this.payments.push({ ...payment, ...unsent, version, changes, createdAt: now, states })
  }

  /** Expires when the last of its payments is among those that have just settled. */
  expireByLast(settled: readonly ModelPayment[], now: number): void {
    if (settled.length === 0) return
    const all = this.payments.filter((payment) => stateOf(payment) === 'settled').length
    const isDone = this.max !== null && all >= this.max
    if (isDone || settled.some(({ isLast }) => isLast)) this.move('expire', 'service', now)
  }

  #collectFor(due: Day, now: number): void {
    const isLast = isLastOn(this, due)
    const cents = amountOf(this, isLast)
    this.#handled = due
    if (cents === null || refusalOf(this, { cents, day: due, isLast }) !== null) {
      this.note('collection_skipped', 'service', now)
      return
    }
    this.add({ cents, isLast, dueOn: due, countsOn: due, reference: 'collected' }, now)
    this.changes += 1
  }

  /** Skips all due days up to this day that are not done yet: the history says so once. */
  #skipUntil(day: Day, now: number): void {
    const { nextDue } = this
    if (nextDue !== null && nextDue <= day) this.note('collection_skipped', 'service', now)
    this.#handled = Math.max(this.#handled, day)
  }

  #share(suspendedBy: Suspension, move: Move, by: Party, now: number): true {
    this.suspendedBy = suspendedBy
    this.note(CHANGE_OF[move], by, now)
    if (move === 'release') this.tell({ tell: by === 'debtor' ? 'suspend' : 'release' }, now)
    return true
  }

  #amend({ terms, end, max }: PendingAmendment, now: number): void {
    this.#skipUntil(dayAt(now) - 1, now)
    this.terms = terms ?? this.terms
    this.end = end ?? this.end
    this.max = max ?? this.max
    this.pending = null
    this.version += 1
    this.note('amended', 'debtor', now)
  }

  #tellOf(move: Move, now: number): void {
    if (move === 'lapse') this.tell({ tell: 'cancel' }, now)
    if (move === 'suspend' || move === 'release' || move === 'cancel' || move === 'expire')
      this.tell({ tell: move }, now)
  }

  #insist(now: number): void {
    if (this.suspendedBy === 'creditor') this.tell({ tell: 'suspend' }, now)
    if (this.status === 'cancelled') this.tell({ tell: 'cancel' }, now)
    if (this.status === 'expired') this.tell({ tell: 'expire' }, now)
  }
}
