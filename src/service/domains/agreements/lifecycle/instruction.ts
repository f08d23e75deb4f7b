import type { Instruction, MandateTerms } from '../../payment-network/payment-network.ts'

/** Times as JSON has them. */
export type StoredMandate = Omit<MandateTerms, 'responseRequiredBy'> & { responseRequiredBy: string }

type Creation = Extract<Instruction, { kind: 'create' }>

/**
 * What the network is to be told, as it is kept until it has been. The accounts of a new agreement are not in it: they stay sealed
 * with the agreement, and are added when it is told.
 */
export type InstructionContent =
  | { kind: 'create'; type: Creation['type']; purpose: Creation['purpose']; mandate: StoredMandate }
  | { kind: 'describe'; description: string; shortDescription: string | null }
  | { kind: 'amend'; amendmentId: string; mandate: StoredMandate }
  | { kind: 'withdraw_amendment'; amendmentId: string }
  | { kind: 'suspend' | 'release' | 'cancel' | 'expire' }

export interface NewInstruction {
  /** The same for ever: the network does each once. */
  id: string
  content: InstructionContent
}
