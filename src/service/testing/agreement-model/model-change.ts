import type { DebtorName, Move, Status } from './model-bank.ts'
import type { AgreementType, ModelTerms, Schedule } from './model-terms.ts'
import type { Day } from './sydney-calendar.ts'

export type Party = 'creditor' | 'debtor' | 'service'

/** A change of an agreement, and its state right after. */
export interface HistoryEntry {
  type: string
  status: Status
  version: number
  by: Party
  at: number
}

export interface PendingAmendment {
  amendment: number
  terms: ModelTerms | null
  end: Day | null
  max: number | null
  requiredBy: number
  /** Whether the bank was asked, or is to be asked, to withdraw it. */
  isWithdrawn: boolean
}

export type Suspension = 'creditor' | 'debtor' | 'both'

/** Who has suspended an agreement after a suspend or release in which both parties play a part; null for any other move. */
export function sharedSuspension(suspendedBy: Suspension | null, move: Move, by: Party): Suspension | null {
  if (move === 'suspend' && by === 'debtor' && suspendedBy === 'creditor') return 'both'
  if (move !== 'release' || suspendedBy !== 'both') return null
  return by === 'debtor' ? 'creditor' : 'debtor'
}

/** A new agreement. */
export interface Asked extends Schedule {
  type: AgreementType
  max: number | null
  requiredBy: number
  debtor: DebtorName
}

/** The name of each move in the history. */
export const CHANGE_OF: Readonly<Record<Move, string>> = {
  accept: 'accepted',
  decline: 'declined',
  lapse: 'lapsed',
  suspend: 'suspended',
  release: 'released',
  cancel: 'cancelled',
  expire: 'expired',
}
