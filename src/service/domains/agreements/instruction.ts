import type { Instruction, MandateTerms } from '../payment-network/payment-network.ts'
import { toTermsResource } from './terms.ts'
import type { Schedule } from './terms.ts'

/** The terms of a mandate as JSON holds them. */
type StoredMandate = Omit<MandateTerms, 'responseRequiredBy'> & { responseRequiredBy: string }

type Creation = Extract<Instruction, { kind: 'create' }>

/**
 * A message to the payer's bank about a mandate, kept until the network has answered. The accounts of a new agreement are not in it:
 * they stay sealed with the agreement and are added when the instruction is sent.
 */
export type InstructionContent =
  | { kind: 'create'; type: Creation['type']; purpose: Creation['purpose']; mandate: StoredMandate }
  | { kind: 'describe'; description: string; shortDescription: string | null }
  | { kind: 'amend'; amendmentId: string; mandate: StoredMandate }
  | { kind: 'withdraw_amendment'; amendmentId: string }
  | { kind: 'suspend' | 'release' | 'cancel' | 'expire' }

export interface NewInstruction {
  /** Never changes: the network carries out each instruction once. */
  id: string
  content: InstructionContent
}

interface Offer extends Schedule {
  description: string
  maxPayments: number | null
  responseRequiredBy: Date
}

/** What the debtor is asked to agree to, as its bank shows it. */
export function toMandate(offer: Offer): StoredMandate {
  return {
    description: offer.description,
    terms: toTermsResource(offer.terms),
    startDate: offer.startDate,
    endDate: offer.endDate,
    maxPayments: offer.maxPayments,
    responseRequiredBy: offer.responseRequiredBy.toISOString(),
  }
}

export function toMandateTerms(mandate: StoredMandate): MandateTerms {
  return { ...mandate, responseRequiredBy: new Date(mandate.responseRequiredBy) }
}
