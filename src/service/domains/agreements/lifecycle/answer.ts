import type { DebtorAnswer, Notice } from '../../payment-network/payment-network.ts'
import type { Agreement, AgreementAction } from '../agreement.ts'
import { dayAt } from '../terms/day.ts'
import type { Day } from '../terms/day.ts'
import { amended, amendmentDropped } from './amend.ts'
import type { Decision } from './decision.ts'
import type { InstructionContent } from './instruction.ts'
import { moved } from './move.ts'

type AmendmentAnswer = 'accept_amendment' | 'decline_amendment'

const ACTION_OF: Readonly<Record<Exclude<DebtorAnswer, AmendmentAnswer>, AgreementAction>> = {
  accept: 'accept',
  decline: 'decline',
  suspend: 'suspend',
  release: 'release',
  cancel: 'cancel',
}

/**
 * How the debtor's answer changes an agreement; no decisions where it comes too late, or is not the debtor's to give. An
 * acceptance or release counts from the day of the answer (`today`), even if it arrives later.
 */
export function decideAnswer(
  agreement: Agreement,
  { answer, amendmentId, at }: Pick<Notice, 'answer' | 'amendmentId' | 'at'>,
  today: Day,
): Decision[] {
  if (answer !== 'accept_amendment' && answer !== 'decline_amendment') {
    const answeredOn = dayAt(at.getTime())
    const from = answeredOn < today ? answeredOn : today
    return moved(agreement, { action: ACTION_OF[answer], by: 'debtor', day: from })
  }
  const { pendingAmendment } = agreement
  if (pendingAmendment === null) return []
  if (pendingAmendment.id !== amendmentId) return []
  return answer === 'accept_amendment'
    ? amended(agreement, pendingAmendment, today)
    : [amendmentDropped('amendment_declined', 'debtor')]
}

/**
 * The instruction after an answer that was not accepted, so that the payer's bank has what the service has; null where it has. What the
 * debtor has suspended only the debtor releases: no instruction suspends it there as well.
 */
export function correctionFor({ status, suspendedBy }: Agreement): InstructionContent | null {
  if (status === 'cancelled') return { kind: 'cancel' }
  if (status === 'expired') return { kind: 'expire' }
  return status === 'suspended' && suspendedBy === 'creditor' ? { kind: 'suspend' } : null
}
