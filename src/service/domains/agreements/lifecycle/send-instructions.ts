import type { TimeOfDay } from '../../../platform/clocks.ts'
import { doublingDelay } from '../../../platform/doubling-delay.ts'
import type { FairPool } from '../../../platform/concurrency/fairness.ts'
import type { TextVault } from '../../../platform/vault/sealed-text.ts'
import type { Instruction, MandateTerms, PaymentNetwork } from '../../payment-network/payment-network.ts'
import { openParties } from '../accounts.ts'
import type { AgreementStore } from '../agreement-store.ts'
import type { Agreement } from '../agreement.ts'
import { dayAt } from '../terms/day.ts'
import { amendmentDropped } from './amend.ts'
import type { Decision } from './decision.ts'
import type { InstructionStore, TakenInstruction } from './instruction-store.ts'
import type { InstructionContent, StoredMandate } from './instruction.ts'
import { moved } from './move.ts'
import { untilRecorded } from './record-decisions.ts'
import type { RecordDecisions } from './record-decisions.ts'

/** When an instruction that the network has not answered is sent again. */
const REPEATS = { firstMs: 1000, longestMs: 300_000 }

interface Parts {
  store: Pick<AgreementStore, 'find' | 'accountsOf'>
  instructions: InstructionStore
  network: Pick<PaymentNetwork, 'instruct'>
  vault: TextVault
  recordDecisions: RecordDecisions
  pool: FairPool
  timeOfDay: TimeOfDay
  warn: (facts: object, words: string) => void
}

/** Sends the network its instructions: those of one agreement in order, each until it is done or refused. */
export interface InstructionSender {
  /** Takes the instructions that are due and starts to send them. */
  work: () => Promise<void>
  finish: () => Promise<void>
  abort: () => void
}

export function createInstructionSender(parts: Parts): InstructionSender {
  const { instructions, pool, timeOfDay } = parts
  return {
    async work() {
      const { max, eachTarget } = pool.capacity()
      if (max === 0) return
      const now = new Date(timeOfDay.epochMs())
      const chosen = pool.choose(await instructions.findDue(eachTarget, now))
      if (chosen.length === 0) return
      for (const taken of await instructions.take(chosen, now)) {
        const task = { id: taken.id, merchantId: taken.merchantId, targetId: taken.merchantId }
        pool.start(task, (signal) => send(parts, taken, signal))
      }
    },
    finish: pool.finish,
    abort: pool.abort,
  }
}

/** True when the network has answered; else the instruction is repeated, with the same id. */
async function send(parts: Parts, taken: TakenInstruction, signal: AbortSignal): Promise<boolean> {
  const { instructions, network, timeOfDay } = parts
  const instruction = await toInstruction(parts, taken)
  const answer = instruction === null ? ACCOUNTS_LOST : await network.instruct(instruction, signal)
  if (answer.kind === 'unreachable' || answer.kind === 'unknown') {
    const delayMs = signal.aborted ? 0 : doublingDelay(taken.attempts, REPEATS)
    await instructions.putOff(taken.agreementId, new Date(timeOfDay.epochMs() + delayMs))
    return false
  }
  if (answer.kind === 'refused') await giveUp(parts, taken, answer.message)
  else if (taken.content.kind === 'withdraw_amendment') await lapse(parts, taken, taken.content)
  await instructions.remove(taken.id, new Date(timeOfDay.epochMs()))
  return true
}

const ACCOUNTS_LOST = { kind: 'refused', message: 'The accounts were lost with their key.' } as const

async function toInstruction(
  { store, vault }: Pick<Parts, 'store' | 'vault'>,
  { id, agreementId, merchantId, content }: TakenInstruction,
): Promise<Instruction | null> {
  const head = { id, agreementId }
  if (content.kind === 'amend') return { ...head, ...content, mandate: toMandateTerms(content.mandate) }
  if (content.kind !== 'create') return { ...head, ...content }
  const sealed = await store.accountsOf(agreementId)
  if (sealed === null) return null
  const parties = await openParties(vault, sealed, { id: agreementId, merchantId })
  return { ...head, ...content, ...parties, mandate: toMandateTerms(content.mandate) }
}

function toMandateTerms(mandate: StoredMandate): MandateTerms {
  return { ...mandate, responseRequiredBy: new Date(mandate.responseRequiredBy) }
}

/**
 * Handles what the network refuses for good. An agreement that it refuses is cancelled, an amendment is dropped, and an agreement
 * that it does not release is suspended again, as the debtor has suspended it too.
 */
async function giveUp(
  { store, recordDecisions, timeOfDay, warn }: Parts,
  { agreementId, content }: TakenInstruction,
  message: string,
): Promise<void> {
  warn({ agreement_id: agreementId, kind: content.kind, message }, 'the network refuses an instruction')
  const today = dayAt(timeOfDay.epochMs())
  await record({ store, recordDecisions }, agreementId, (agreement) =>
    afterRefusal(agreement, content, { message, today }),
  )
}

/** The bank has withdrawn the amendment: nobody has accepted it there, and nobody can from now on. */
function lapse(
  parts: Pick<Parts, 'store' | 'recordDecisions'>,
  { agreementId }: TakenInstruction,
  { amendmentId }: Extract<InstructionContent, { kind: 'withdraw_amendment' }>,
): Promise<unknown> {
  return record(parts, agreementId, ({ pendingAmendment }) =>
    pendingAmendment?.id === amendmentId ? [amendmentDropped('amendment_lapsed', 'service')] : [],
  )
}

/** Records what is decided of an agreement, however often it changes meanwhile. */
function record(
  { store, recordDecisions }: Pick<Parts, 'store' | 'recordDecisions'>,
  agreementId: string,
  decide: (agreement: Agreement) => Decision[],
): Promise<unknown> {
  return untilRecorded(async () => {
    const agreement = await store.find(agreementId)
    const decisions = agreement === null ? [] : decide(agreement)
    if (agreement === null || decisions.length === 0) return 'nothing to record'
    return recordDecisions(agreement, decisions)
  })
}

const LONGEST_REASON = 140

/** What a refusal by the network makes of an agreement. */
function afterRefusal(
  agreement: Agreement,
  content: InstructionContent,
  { message, today }: { message: string; today: string },
): Decision[] {
  if (content.kind === 'create') {
    const reason = { code: 'not_specified', text: message.slice(0, LONGEST_REASON) } as const
    return moved(agreement, { action: 'cancel', by: 'service', reason, day: today }).map((move) => ({
      ...move,
      instruction: null,
    }))
  }
  if (content.kind === 'release') return moved(agreement, { action: 'suspend', by: 'debtor', day: today })
  const { pendingAmendment } = agreement
  if (content.kind !== 'amend' || pendingAmendment?.id !== content.amendmentId) return []
  return [amendmentDropped('amendment_declined', 'service')]
}
