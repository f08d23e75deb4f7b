import type { TimeOfDay } from '../../../platform/clocks.ts'
import type { CreateId } from '../../../platform/identifiers.ts'
import type { Notice, PaymentNetwork } from '../../payment-network/payment-network.ts'
import type { AgreementStore } from '../agreement-store.ts'
import type { Agreement } from '../agreement.ts'
import { dayAt } from '../terms/day.ts'
import type { Day } from '../terms/day.ts'
import { decideAnswer, correctionFor } from './answer.ts'
import type { InstructionStore } from './instruction-store.ts'
import { untilRecorded } from './record-decisions.ts'
import type { RecordDecisions } from './record-decisions.ts'

const BATCH = 100
const MAX_BATCHES = 20

interface Parts {
  store: Pick<AgreementStore, 'find' | 'isNoticeApplied'>
  instructions: Pick<InstructionStore, 'add' | 'isWaiting'>
  network: Pick<PaymentNetwork, 'notices' | 'acknowledge'>
  recordDecisions: RecordDecisions
  createId: CreateId
  timeOfDay: TimeOfDay
  warn: (facts: object, words: string) => void
  onFault: (error: unknown) => void
}

/** Reads what debtors did in their banks: `receive` applies each notice once, however often it comes, and acknowledges it. */
export interface NoticeReceiver {
  /** False when there may be more of them. */
  receive: () => Promise<boolean>
  /** Ends the wait for the network. */
  abort: () => void
}

export function createNoticeReceiver(parts: Parts): NoticeReceiver {
  const { network } = parts
  const stopping = new AbortController()
  return {
    async receive() {
      for (let batch = 0; batch < MAX_BATCHES && !stopping.signal.aborted; batch += 1) {
        const notices = await network.notices(BATCH, stopping.signal)
        const applied = await applyAll(parts, notices)
        if (applied.length > 0) await network.acknowledge(applied, stopping.signal)
        if (applied.length < BATCH) return applied.length === notices.length
      }
      return false
    },
    abort: () => {
      stopping.abort()
    },
  }
}

/** Applies each agreement's notices in their order; returns the ids of those that were handled. */
async function applyAll(parts: Parts, notices: readonly Notice[]): Promise<string[]> {
  const agreementIds = [...new Set(notices.map(({ agreementId }) => agreementId))]
  const applied = await Promise.all(
    agreementIds.map((id) =>
      applyInOrder(
        parts,
        notices.filter(({ agreementId }) => agreementId === id),
      ),
    ),
  )
  return applied.flat()
}

/** After a fault, or while one has to wait, the rest of an agreement's notices waits for the next time. */
async function applyInOrder(parts: Parts, notices: readonly Notice[]): Promise<string[]> {
  const applied: string[] = []
  try {
    for (const notice of notices) {
      if (!(await apply(parts, notice))) break
      applied.push(notice.id)
    }
  } catch (error) {
    parts.onFault(error)
  }
  return applied
}

/** False when it has to wait. */
function apply(parts: Parts, notice: Notice): Promise<boolean> {
  const { store, instructions, recordDecisions, timeOfDay, warn } = parts
  return untilRecorded(async () => {
    if (await store.isNoticeApplied(notice.id)) return true
    const agreement = await store.find(notice.agreementId)
    const facts = { agreement_id: notice.agreementId, notice_id: notice.id, answer: notice.answer }
    if (agreement === null) {
      warn(facts, 'the network tells of an agreement that is not known')
      return true
    }
    const today = dayAt(timeOfDay.epochMs())
    if (isToBeCollected(agreement, today)) return false
    const decisions = decideAnswer(agreement, notice, today)
    if (decisions.length > 0) return (await recordDecisions(agreement, decisions, notice.id)) && true
    // The network's answer to our release may say that the debtor has suspended it as well: what it releases is known then.
    if (notice.answer === 'release' && (await instructions.isWaiting(agreement.id))) return false
    warn(
      { ...facts, status: agreement.status },
      "a debtor's answer comes too late, or is not the debtor's to give",
    )
    return (await putRight(parts, agreement)) ? true : null
  })
}

/**
 * Whether payments that were due before an answer are still to be collected, which comes first, even if another process is just
 * doing it.
 */
function isToBeCollected({ status, nextDueOn }: Agreement, today: Day): boolean {
  return status === 'active' && nextDueOn !== null && nextDueOn <= today
}

/** False when the agreement has changed since it was read. */
async function putRight(
  { instructions, createId, timeOfDay }: Parts,
  agreement: Agreement,
): Promise<boolean> {
  const content = correctionFor(agreement)
  if (content === null) return true
  return instructions.add(agreement, { id: createId(), content }, new Date(timeOfDay.epochMs()))
}
