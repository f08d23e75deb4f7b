import type { AgreementChange, AgreementFacts, Party, Reason } from './agreement.ts'
import type { NewInstruction } from './lifecycle/instruction.ts'

/** Something that happens to an agreement: it is written with it, or neither is. */
export interface NewChange {
  /** Of the history's entry, and of the event. */
  id: string
  type: AgreementChange
  by: Party
  /** The network's, of what the debtor did in its bank: each is applied once. */
  noticeId: string | null
  reason: Reason | null
  /** The instruction that the network gets for it. */
  instruction: NewInstruction | null
  at: Date
}

/** An entry of the history, with what of the agreement can change as it was right after. */
export interface RecordedChange {
  id: string
  agreementId: string
  revision: number
  type: AgreementChange
  by: Party
  reason: Reason | null
  facts: AgreementFacts
  at: Date
}
