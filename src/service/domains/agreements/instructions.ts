import { doublingDelay } from '../../platform/doubling-delay.ts'
import type { FairPool } from '../../platform/concurrency/fairness.ts'
import type { Instruction } from '../payment-network/payment-network.ts'
import { openParties } from './accounts.ts'
import { accountsOf, findAgreement } from './agreement-store.ts'
import { decideMove } from './agreement.ts'
import type { Agreement, Decision } from './agreement.ts'
import { dropAmendment } from './amendment.ts'
import { dayAt } from './calendar.ts'
import type { Day } from './calendar.ts'
import { recordDecisions, untilRecorded } from './decisions.ts'
import type { AgreementsDeps } from './deps.ts'
import {
  findDueInstructions,
  putOffInstructions,
  removeInstruction,
  takeInstructions,
} from './instruction-store.ts'
import type { TakenInstruction } from './instruction-store.ts'
import { toMandateTerms } from './instruction.ts'
import type { InstructionContent } from './instruction.ts'

/** The delays after which an instruction without an answer is sent again. */
const REPEATS = { firstMs: 1000, longestMs: 300_000 }
const LONGEST_REASON = 140
const ACCOUNTS_LOST = { kind: 'refused', message: 'The accounts were lost with their key.' } as const

/**
 * Starts to send the network the instructions that are due: those of one agreement in order, each until it is done or refused.
 */
export async function sendInstructions(deps: AgreementsDeps, pool: FairPool): Promise<void> {
  const { database, timeOfDay } = deps
  const { max, eachTarget } = pool.capacity()
  if (max === 0) return
  const now = new Date(timeOfDay.epochMs())
  const chosen = pool.choose(await findDueInstructions(database, eachTarget, now))
  if (chosen.length === 0) return
  const ids = chosen.map(({ id }) => id)
  for (const taken of await takeInstructions(database, ids, now)) {
    const task = { id: taken.id, merchantId: taken.merchantId, targetId: taken.merchantId }
    pool.start(task, (signal) => send(deps, taken, signal))
  }
}

/** True once the network has answered; otherwise the instruction is sent again, with the same id. */
async function send(deps: AgreementsDeps, taken: TakenInstruction, signal: AbortSignal): Promise<boolean> {
  const { database, network, timeOfDay } = deps
  const { id, agreementId, content } = taken
  const instruction = await toInstruction(deps, taken)
  const answer = instruction === null ? ACCOUNTS_LOST : await network.instruct(instruction, signal)
  if (answer.kind === 'unreachable' || answer.kind === 'unknown') {
    const delayMs = signal.aborted ? 0 : doublingDelay(taken.attempts, REPEATS)
    await putOffInstructions(database, agreementId, new Date(timeOfDay.epochMs() + delayMs))
    return false
  }
  if (answer.kind === 'refused') {
    const { message } = answer
    deps.log.warn(
      { agreement_id: agreementId, kind: content.kind, message },
      'the network refuses an instruction',
    )
    const today = dayAt(timeOfDay.epochMs())
    await record(deps, agreementId, (agreement) => afterRefusal(agreement, content, message, today))
  } else if (content.kind === 'withdraw_amendment') {
    await record(deps, agreementId, (agreement) => afterWithdrawal(agreement, content.amendmentId))
  }
  await removeInstruction(database, id, new Date(timeOfDay.epochMs()))
  return true
}

/** Adds the accounts to a new agreement's instruction; null if they are lost. */
async function toInstruction(
  { database, vault }: AgreementsDeps,
  { id, agreementId, merchantId, content }: TakenInstruction,
): Promise<Instruction | null> {
  const head = { id, agreementId }
  if (content.kind === 'amend') return { ...head, ...content, mandate: toMandateTerms(content.mandate) }
  if (content.kind !== 'create') return { ...head, ...content }
  const sealed = await accountsOf(database, agreementId)
  if (sealed === null) return null
  const parties = await openParties(vault, sealed, { id: agreementId, merchantId })
  return { ...head, ...content, ...parties, mandate: toMandateTerms(content.mandate) }
}

/** Records what is decided about an agreement, even if others change it meanwhile. */
async function record(
  deps: AgreementsDeps,
  agreementId: string,
  decide: (agreement: Agreement) => Decision[],
): Promise<void> {
  await untilRecorded(async () => {
    const agreement = await findAgreement(deps.database, agreementId)
    const decisions = agreement === null ? [] : decide(agreement)
    if (agreement === null || decisions.length === 0) return 'nothing to record'
    return recordDecisions(deps, agreement, decisions)
  })
}

/**
 * What follows when the network refuses an instruction for good. A new agreement is cancelled, an amendment is dropped, and an agreement
 * that is not released is suspended again, as the debtor has suspended it too.
 */
function afterRefusal(
  agreement: Agreement,
  content: InstructionContent,
  message: string,
  today: Day,
): Decision[] {
  if (content.kind === 'create') {
    const reason = { code: 'not_specified', text: message.slice(0, LONGEST_REASON) } as const
    return decideMove(agreement, { action: 'cancel', by: 'service', reason, day: today }).map((move) => ({
      ...move,
      instruction: null,
    }))
  }
  if (content.kind === 'release')
    return decideMove(agreement, { action: 'suspend', by: 'debtor', day: today })
  const { pendingAmendment } = agreement
  if (content.kind !== 'amend' || pendingAmendment?.id !== content.amendmentId) return []
  return [dropAmendment('amendment_declined', 'service')]
}

/** The bank has withdrawn the amendment: nobody has accepted it there, and nobody can from now on. */
function afterWithdrawal({ pendingAmendment }: Agreement, amendmentId: string): Decision[] {
  return pendingAmendment?.id === amendmentId ? [dropAmendment('amendment_lapsed', 'service')] : []
}
