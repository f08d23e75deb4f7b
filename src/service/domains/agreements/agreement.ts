import type {
  AGREEMENT_CHANGES,
  AgreementResource,
} from '../../../contract/api/agreements/agreement-resource.ts'
import type { Moves } from '../../platform/state-machine.ts'
import type { Day } from './terms/day.ts'
import type { Terms } from './terms/terms.ts'

export type AgreementState = AgreementResource['status']

/** `lapse`: the debtor did not answer in time. `expire`: its end date is over, or its last payment has settled. */
export type AgreementAction = 'accept' | 'decline' | 'lapse' | 'suspend' | 'release' | 'cancel' | 'expire'

/** Where an agreement can go (contract §6.4). */
export const agreementMoves: Moves<AgreementState, AgreementAction> = {
  created: { accept: 'active', decline: 'cancelled', lapse: 'cancelled', cancel: 'cancelled' },
  active: { suspend: 'suspended', cancel: 'cancelled', expire: 'expired' },
  suspended: { release: 'active', cancel: 'cancelled', expire: 'expired' },
  cancelled: {},
  expired: {},
}

/** What happened to an agreement: an entry of its history, and an event of type `agreement.…`. */
export type AgreementChange = (typeof AGREEMENT_CHANGES)[number]

/** Who changed it: the merchant, the payer, or the service by itself. */
export type Party = 'creditor' | 'debtor' | 'service'

export interface Reason {
  code: NonNullable<AgreementResource['reason_code']>
  text: string | null
}

/** What the debtor can be asked to change; null leaves it as it is. */
export interface Amendment {
  /** Ours, the same for ever: the network tells amendments apart by it. */
  id: string
  terms: Terms | null
  endDate: Day | null
  maxPayments: number | null
  responseRequiredBy: Date
  requestedAt: Date
}

/** A payer's standing authority to be paid (contract §6). */
export interface Agreement {
  id: string
  merchantId: string
  type: AgreementResource['type']
  status: AgreementState
  /** Counts the amendments that took effect. */
  version: number
  /** Counts every change; it is the ETag. */
  revision: number
  description: string
  shortDescription: string | null
  purpose: AgreementResource['purpose']
  startDate: Day
  endDate: Day | null
  /** As answers show them: account numbers and PayIDs are masked. What is masked is sealed beside it. */
  debtor: AgreementResource['debtor']
  creditor: AgreementResource['creditor']
  terms: Terms
  /** Of an adhoc agreement. */
  maxPayments: number | null
  responseRequiredBy: Date
  pendingAmendment: Amendment | null
  suspendedBy: AgreementResource['suspended_by']
  /** Why it was suspended or cancelled. */
  reason: Reason | null
  reference: string | null
  metadata: Readonly<Record<string, string>>
  /** The day of the next payment that the service makes by itself; null when it makes none. */
  nextDueOn: Day | null
  /** Due days until this one have had their turn: they were collected, skipped, or never to be collected. */
  dueDaysDoneUntil: Day | null
  createdAt: Date
  updatedAt: Date
}

/** What of an agreement can change: each entry of the history keeps it as it was right after. */
export type AgreementFacts = Pick<
  Agreement,
  | 'status'
  | 'version'
  | 'description'
  | 'shortDescription'
  | 'endDate'
  | 'terms'
  | 'maxPayments'
  | 'pendingAmendment'
  | 'suspendedBy'
  | 'reason'
  | 'reference'
  | 'metadata'
  | 'nextDueOn'
  | 'dueDaysDoneUntil'
>
