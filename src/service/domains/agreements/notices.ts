import type { DebtorAnswer, Notice } from '../payment-network/payment-network.ts'
import { findAgreement, isNoticeApplied } from './agreement-store.ts'
import { decideMove } from './agreement.ts'
import type { Agreement, AgreementAction, Decision } from './agreement.ts'
import { acceptAmendment, dropAmendment } from './amendment.ts'
import { dayAt } from './calendar.ts'
import type { Day } from './calendar.ts'
import { recordDecisions, untilRecorded } from './decisions.ts'
import type { AgreementsDeps } from './deps.ts'
import { addInstruction, isInstructionWaiting } from './instruction-store.ts'
import type { InstructionContent } from './instruction.ts'

const BATCH = 100
const MAX_BATCHES = 20

/**
 * Reads what debtors did in their banks. Applies each notice once, however often it comes, and acknowledges it. Returns false if there may
 * be more. `stopping` ends the wait for the network.
 */
export async function receiveNotices(deps: AgreementsDeps, stopping: AbortSignal): Promise<boolean> {
  const { network } = deps
  for (let batch = 0; batch < MAX_BATCHES && !stopping.aborted; batch += 1) {
    const notices = await network.notices(BATCH, stopping)
    const applied = await applyAll(deps, notices)
    if (applied.length > 0) await network.acknowledge(applied, stopping)
    if (applied.length < BATCH) return applied.length === notices.length
  }
  return false
}

/** Applies the notices of each agreement in order; returns the ids of those that were handled. */
async function applyAll(deps: AgreementsDeps, notices: readonly Notice[]): Promise<string[]> {
  const agreementIds = [...new Set(notices.map(({ agreementId }) => agreementId))]
  const applied = await Promise.all(
    agreementIds.map((id) =>
      applyInOrder(
        deps,
        notices.filter(({ agreementId }) => agreementId === id),
      ),
    ),
  )
  return applied.flat()
}

/** After a fault, or while a notice has to wait, the agreement's later notices wait for the next time. */
async function applyInOrder(deps: AgreementsDeps, notices: readonly Notice[]): Promise<string[]> {
  const applied: string[] = []
  try {
    for (const notice of notices) {
      if (!(await apply(deps, notice))) break
      applied.push(notice.id)
    }
  } catch (error) {
    deps.log.error({ err: error }, 'the payment network could not be reached')
  }
  return applied
}

/** False if the notice has to wait. */
function apply(deps: AgreementsDeps, notice: Notice): Promise<boolean> {
  const { database, timeOfDay, log } = deps
  return untilRecorded(async () => {
    if (await isNoticeApplied(database, notice.id)) return true
    const agreement = await findAgreement(database, notice.agreementId)
    const facts = { agreement_id: notice.agreementId, notice_id: notice.id, answer: notice.answer }
    if (agreement === null) {
      log.warn(facts, 'the network tells of an agreement that is not known')
      return true
    }
    const today = dayAt(timeOfDay.epochMs())
    if (isToBeCollected(agreement, today)) return false
    const decisions = decideAnswer(agreement, notice, today)
    if (decisions.length > 0) return (await recordDecisions(deps, agreement, decisions, notice.id)) && true
    // The network's answer to our release may say that the debtor has suspended the agreement as well. Only then is it known what the
    // debtor releases.
    if (notice.answer === 'release' && (await isInstructionWaiting(database, agreement.id))) return false
    log.warn(
      { ...facts, status: agreement.status },
      "a debtor's answer comes too late, or is not the debtor's to give",
    )
    return (await correctBank(deps, agreement)) ? true : null
  })
}

/** Whether payments that were due before an answer are still to be collected, here or in another process: they come first. */
function isToBeCollected({ status, nextDueOn }: Agreement, today: Day): boolean {
  return status === 'active' && nextDueOn !== null && nextDueOn <= today
}

/** Tells the bank again how the agreement stands; false if the agreement has changed since it was read. */
async function correctBank(
  { database, createId, timeOfDay }: AgreementsDeps,
  agreement: Agreement,
): Promise<boolean> {
  const content = correctionFor(agreement)
  if (content === null) return true
  return addInstruction(database, agreement, { id: createId(), content }, new Date(timeOfDay.epochMs()))
}

type AmendmentAnswer = 'accept_amendment' | 'decline_amendment'

const ACTION_OF: Readonly<Record<Exclude<DebtorAnswer, AmendmentAnswer>, AgreementAction>> = {
  accept: 'accept',
  decline: 'decline',
  suspend: 'suspend',
  release: 'release',
  cancel: 'cancel',
}

/**
 * How the debtor's answer changes an agreement. No decisions if it comes too late, or is not the debtor's to give. An acceptance or a
 * release counts from the day of the answer, even if it arrives later.
 */
function decideAnswer(agreement: Agreement, { answer, amendmentId, at }: Notice, today: Day): Decision[] {
  if (answer !== 'accept_amendment' && answer !== 'decline_amendment') {
    const answeredOn = dayAt(at.getTime())
    const from = answeredOn < today ? answeredOn : today
    return decideMove(agreement, { action: ACTION_OF[answer], by: 'debtor', day: from })
  }
  const { pendingAmendment } = agreement
  if (pendingAmendment === null) return []
  if (pendingAmendment.id !== amendmentId) return []
  return answer === 'accept_amendment'
    ? acceptAmendment(agreement, pendingAmendment, today)
    : [dropAmendment('amendment_declined', 'debtor')]
}

/**
 * The instruction that makes the payer's bank agree with the service after an answer that was not accepted; null if it agrees already.
 * Only the debtor releases what the debtor has suspended, so no instruction suspends it there as well.
 */
function correctionFor({ status, suspendedBy }: Agreement): InstructionContent | null {
  if (status === 'cancelled') return { kind: 'cancel' }
  if (status === 'expired') return { kind: 'expire' }
  return status === 'suspended' && suspendedBy === 'creditor' ? { kind: 'suspend' } : null
}
