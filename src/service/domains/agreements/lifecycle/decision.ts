import { ServiceError } from '../../../platform/errors.ts'
import type { AgreementChange, AgreementFacts, Party, Reason } from '../agreement.ts'
import type { InstructionContent } from './instruction.ts'

/** What becomes of an agreement, as the rules decide it from how the agreement was read. */
export interface Decision {
  type: AgreementChange
  by: Party
  reason: Reason | null
  /** The facts that change. */
  facts: Partial<AgreementFacts>
  /** The instruction that the network gets for it. */
  instruction: InstructionContent | null
}

/** For a change that the agreement does not take as it stands. */
export function unfulfilled(message: string): ServiceError {
  return new ServiceError('unfulfilled_condition', message)
}
