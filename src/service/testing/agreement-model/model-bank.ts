/** Debtors of the sandbox (contract §6.8); `grace` waits for the payer's bank page. */
export type DebtorName = 'approve' | 'decline' | 'insufficient' | 'investigate' | 'pause' | 'late' | 'grace'
export type BankAnswer =
  | 'accept'
  | 'decline'
  | 'suspend'
  | 'release'
  | 'cancel'
  | 'accept_amendment'
  | 'decline_amendment'
export type Status = 'created' | 'active' | 'suspended' | 'cancelled' | 'expired'
export type Move = 'accept' | 'decline' | 'lapse' | 'suspend' | 'release' | 'cancel' | 'expire'

/** The table of contract §6.4. */
const MOVES: Readonly<Record<Status, Readonly<Partial<Record<Move, Status>>>>> = {
  created: { accept: 'active', decline: 'cancelled', lapse: 'cancelled', cancel: 'cancelled' },
  active: { suspend: 'suspended', cancel: 'cancelled', expire: 'expired' },
  suspended: { release: 'active', cancel: 'cancelled', expire: 'expired' },
  cancelled: {},
  expired: {},
}

export const statusAfter = (status: Status, move: Move): Status | null => MOVES[status][move] ?? null
export const isOver = (status: Status): boolean => status === 'cancelled' || status === 'expired'

/** What the payer is asked to agree to: the date until which to answer, and the maximum of one payment. */
interface Offer {
  requiredBy: number
  cents: number
}
interface AskedAmendment extends Offer {
  amendment: number
}

/** The instructions that the bank gets for an agreement. */
export type Instruction =
  | ({ tell: 'create' } & Offer)
  | ({ tell: 'amend' } & AskedAmendment)
  | { tell: 'withdraw'; amendment: number }
  | { tell: 'suspend' | 'release' | 'cancel' | 'expire' }

export interface Notice {
  /** When the payer did it. */
  at: number
  answer: BankAnswer
  amendment: number | null
}
export type Verdict = 'settled' | 'insufficient_funds' | 'agreement_not_active' | 'limit_exceeded'

/** The model of the payer's bank in the sandbox, for one agreement. */
export class ModelBank {
  readonly notices: Notice[] = []
  readonly #debtor: DebtorName
  /** Null until it knows of the agreement. */
  #status: Status | null = null
  #suspendedBy: 'creditor' | 'debtor' | null = null
  #offer: Offer = { requiredBy: 0, cents: 0 }
  #asked: AskedAmendment | null = null
  #pausesAt: number | null = null

  constructor(debtor: DebtorName) {
    this.#debtor = debtor
  }

  get isKnown(): boolean {
    return this.#status !== null
  }

  /** Follows an instruction; false when it refuses. */
  follow(instruction: Instruction, now: number): boolean {
    switch (instruction.tell) {
      case 'create':
        this.#open(instruction, now)
        return true
      case 'amend':
        return this.#ask(instruction, now)
      case 'withdraw':
        return this.#takeBack(instruction.amendment)
      case 'cancel':
      case 'expire':
        if (this.#status !== null && !isOver(this.#status)) this.#become(END_OF[instruction.tell], null)
        return true
      case 'suspend':
      case 'release':
        return this.#move(instruction.tell, 'creditor')
    }
  }

  /** Does what the payer wants; false when that is not possible. */
  answer(answer: BankAnswer, now: number): boolean {
    const amendment = this.#asked?.amendment ?? null
    const isOfAmendment = answer === 'accept_amendment' || answer === 'decline_amendment'
    if (!(isOfAmendment ? this.#answerAmendment(answer, now) : this.#answerSelf(answer, now))) return false
    this.notices.push({ at: now, answer, amendment: isOfAmendment ? amendment : null })
    return true
  }

  /** A debtor that pauses does so by itself. */
  pauseInTime(now: number): void {
    if (this.#pausesAt !== null && this.#pausesAt <= now) this.answer('suspend', now)
  }

  /** The verdict on a payment. */
  pay(cents: number): Verdict {
    if (this.#status !== 'active') return 'agreement_not_active'
    if (cents > this.#offer.cents) return 'limit_exceeded'
    return this.#debtor === 'insufficient' ? 'insufficient_funds' : 'settled'
  }

  #open(offer: Offer, now: number): void {
    this.#offer = offer
    this.#status = 'created'
    if (this.#debtor === 'grace') return
    const answer = this.#debtor === 'decline' ? 'decline' : 'accept'
    this.#status = answer === 'accept' ? 'active' : 'cancelled'
    if (this.#debtor === 'pause') this.#pausesAt = now + 1000
    this.notices.push({ at: now, answer, amendment: null })
  }

  #ask(asked: AskedAmendment, now: number): boolean {
    if (this.#status !== 'active' || this.#asked !== null) return false
    this.#asked = asked
    if (this.#debtor !== 'grace') this.answer('accept_amendment', now)
    return true
  }

  /** False when it was answered, or the agreement has ended. */
  #takeBack(amendment: number): boolean {
    if (this.#asked?.amendment !== amendment) return false
    this.#asked = null
    return true
  }

  #answerAmendment(answer: BankAnswer, now: number): boolean {
    if (this.#asked === null || this.#asked.requiredBy <= now) return false
    if (answer === 'accept_amendment') this.#offer = this.#asked
    this.#asked = null
    return true
  }

  #answerSelf(answer: Exclude<BankAnswer, 'accept_amendment' | 'decline_amendment'>, now: number): boolean {
    if (this.#status === 'created') {
      // An agreement that was not accepted yet is declined, not cancelled.
      if (answer === 'cancel' || this.#offer.requiredBy <= now) return false
    }
    return this.#move(answer, 'debtor')
  }

  #move(move: Move, by: 'creditor' | 'debtor'): boolean {
    const status = this.#status === null ? null : statusAfter(this.#status, move)
    if (status === null || (move === 'release' && this.#suspendedBy !== by)) return false
    this.#become(status, by)
    return true
  }

  #become(status: Status, by: 'creditor' | 'debtor' | null): void {
    this.#status = status
    this.#suspendedBy = status === 'suspended' ? by : null
    if (status !== 'active') this.#pausesAt = null
    if (isOver(status)) this.#asked = null
  }
}

const END_OF = { cancel: 'cancelled', expire: 'expired' } as const
