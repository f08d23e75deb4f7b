import type {
  AgreementResource,
  PaymentTermsResource,
} from '../../../../contract/api/agreements/agreement-resource.ts'
import { nextState } from '../../../platform/state-machine.ts'
import type { Moves } from '../../../platform/state-machine.ts'
import type { DebtorAnswer, Instruction, MandateTerms } from '../payment-network.ts'

/** What the payer is asked to agree to, as its bank keeps it; `answerBy` in ISO 8601. */
export interface Offer extends Omit<MandateTerms, 'responseRequiredBy'> {
  answerBy: string
}

type MandateState = AgreementResource['status']

/** An agreement as the payer's bank has it. */
export interface Mandate {
  /** That of the agreement. */
  id: string
  status: MandateState
  suspendedBy: 'creditor' | 'debtor' | null
  type: AgreementResource['type']
  purpose: AgreementResource['purpose']
  creditorName: string
  debtorName: string
  offer: Offer
  pendingAmendment: { id: string; offer: Offer } | null
  /** It answers by itself. */
  acceptsAmendments: boolean
  createdAt: Date
}

/** What may be done to a mandate, and by whom. */
const creditorMoves: Moves<MandateState, 'suspend' | 'release' | 'cancel' | 'expire'> = {
  created: { cancel: 'cancelled', expire: 'expired' },
  active: { suspend: 'suspended', cancel: 'cancelled', expire: 'expired' },
  suspended: { release: 'active', cancel: 'cancelled', expire: 'expired' },
  cancelled: {},
  expired: {},
}
const payerMoves: Moves<MandateState, 'accept' | 'decline' | 'suspend' | 'release' | 'cancel'> = {
  created: { accept: 'active', decline: 'cancelled' },
  active: { suspend: 'suspended', cancel: 'cancelled' },
  suspended: { release: 'active', cancel: 'cancelled' },
  cancelled: {},
  expired: {},
}

/** The changed mandate, or why nothing changes. */
export type MandateDecision = { mandate: Mandate; refusal: null } | { mandate: null; refusal: string }

const refuse = (refusal: string): MandateDecision => ({ mandate: null, refusal })
const become = (mandate: Mandate): MandateDecision => ({ mandate, refusal: null })

export function toOffer({ responseRequiredBy, ...terms }: MandateTerms): Offer {
  return { ...terms, answerBy: responseRequiredBy.toISOString() }
}

/** The most that one payment may be, in cents. */
export function maxAmountOf({
  amount,
  maximum_amount,
  first_payment,
  last_payment,
}: PaymentTermsResource): number {
  const amounts = [amount, maximum_amount, first_payment?.amount, last_payment?.amount]
  return Math.round(Math.max(...amounts.map((one) => one ?? 0)) * 100)
}

/** The mandate after an instruction. */
export function follow(
  mandate: Mandate,
  instruction: Exclude<Instruction, { kind: 'create' }>,
): MandateDecision {
  switch (instruction.kind) {
    case 'describe':
      if (isOver(mandate)) return refuse(`The mandate is ${mandate.status}.`)
      return become(describe(mandate, instruction.description))
    case 'amend':
      return askFor(mandate, { id: instruction.amendmentId, offer: toOffer(instruction.mandate) })
    case 'withdraw_amendment':
      if (mandate.pendingAmendment?.id !== instruction.amendmentId) {
        return refuse('This amendment is not pending: it was answered, or the mandate has ended.')
      }
      return become({ ...mandate, pendingAmendment: null })
    case 'cancel':
    case 'expire':
    case 'suspend':
    case 'release':
      if (isDone(mandate, instruction.kind)) return become(mandate)
      return move(mandate, nextState(creditorMoves, mandate.status, instruction.kind), 'creditor')
  }
}

/** Whether nothing is to be done: the mandate has ended, or is to be released and is not suspended. */
function isDone(mandate: Mandate, kind: 'suspend' | 'release' | 'cancel' | 'expire'): boolean {
  if (kind === 'release') return mandate.status === 'active'
  return kind !== 'suspend' && isOver(mandate)
}

/** The mandate after the payer's answer, at a time (ms since 1970). */
export function answer(mandate: Mandate, given: DebtorAnswer, now: number): MandateDecision {
  switch (given) {
    case 'accept':
    case 'decline':
      if (mandate.status === 'created' && isPast(mandate.offer, now)) {
        return refuse('The time for an answer is over.')
      }
      return move(mandate, nextState(payerMoves, mandate.status, given), 'debtor')
    case 'suspend':
    case 'release':
    case 'cancel':
      return move(mandate, nextState(payerMoves, mandate.status, given), 'debtor')
    case 'accept_amendment':
    case 'decline_amendment':
      return answerAmendment(mandate, given === 'accept_amendment', now)
  }
}

/** A pending amendment gets the new texts too: accepting it must not bring the old ones back. */
function describe(mandate: Mandate, description: string): Mandate {
  const { offer, pendingAmendment: asked } = mandate
  return {
    ...mandate,
    offer: { ...offer, description },
    pendingAmendment: asked === null ? null : { ...asked, offer: { ...asked.offer, description } },
  }
}

function answerAmendment(mandate: Mandate, isAccepted: boolean, now: number): MandateDecision {
  const { pendingAmendment: asked, offer } = mandate
  if (asked === null) return refuse('No amendment waits for an answer.')
  if (isPast(asked.offer, now)) return refuse('The time for an answer is over.')
  return become({ ...mandate, offer: isAccepted ? asked.offer : offer, pendingAmendment: null })
}

function askFor(mandate: Mandate, asked: { id: string; offer: Offer }): MandateDecision {
  if (mandate.status !== 'active') return refuse(`The mandate is ${mandate.status}.`)
  if (mandate.pendingAmendment !== null) return refuse('Another amendment waits for an answer.')
  return become({ ...mandate, pendingAmendment: asked })
}

/** `to` is null if the table of moves does not allow it. */
function move(mandate: Mandate, to: MandateState | null, by: 'creditor' | 'debtor'): MandateDecision {
  if (to === null) return refuse(`That cannot be done to an agreement that is ${mandate.status}.`)
  const { status, suspendedBy, pendingAmendment } = mandate
  if (status === 'suspended' && to === 'active' && suspendedBy !== by) {
    return refuse(
      `The ${suspendedBy === 'debtor' ? 'payer' : 'merchant'} has suspended it, and alone releases it.`,
    )
  }
  const after = { ...mandate, status: to, suspendedBy: to === 'suspended' ? by : null }
  return become({ ...after, pendingAmendment: isOver(after) ? null : pendingAmendment })
}

function isOver({ status }: Mandate): boolean {
  return status === 'cancelled' || status === 'expired'
}

function isPast({ answerBy }: Offer, now: number): boolean {
  return Date.parse(answerBy) <= now
}
