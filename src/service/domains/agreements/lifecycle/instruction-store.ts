import type { Database } from '../../../platform/database/database.ts'
import type { Agreement } from '../agreement.ts'
import type { NewInstruction, InstructionContent } from './instruction.ts'
import * as sql from '../statements/instruction-sql.ts'

/** For how long a process has an instruction to itself: longer than it may take to tell it. */
const LEASE_MS = 60_000

/** An instruction that is due, as one task of a pool: its target is its merchant, whose share of the network it uses. */
export interface DueInstruction {
  id: string
  merchantId: string
  targetId: string
}

/** An instruction that this process has taken to tell it. */
export interface TakenInstruction extends NewInstruction {
  content: InstructionContent
  agreementId: string
  merchantId: string
  /** Counts the one that it was taken for. */
  attempts: number
}

/** Instructions that the network has not answered yet, in SQL. */
export interface InstructionStore {
  /** False when the agreement has changed since it was read. */
  add: (
    agreement: Pick<Agreement, 'id' | 'revision'>,
    instruction: NewInstruction,
    now: Date,
  ) => Promise<boolean>
  /**
   * Asks the bank once to take back the pending amendment of an agreement as it was read, whose time for an answer is over. The agreement
   * stays as it is until the bank has answered.
   */
  withdrawAmendment: (
    agreement: Pick<Agreement, 'id' | 'revision' | 'pendingAmendment'>,
    instructionId: string,
    now: Date,
  ) => Promise<void>
  /** Whether there is something of the agreement that the network has not answered yet. */
  isWaiting: (agreementId: string) => Promise<boolean>
  /** `most`: of each merchant. */
  findDue: (most: number, now: Date) => Promise<DueInstruction[]>
  /** Those of them that nobody else has taken. */
  take: (due: readonly DueInstruction[], now: Date) => Promise<TakenInstruction[]>
  /** It is settled: payments that waited for it are due. */
  remove: (id: string, now: Date) => Promise<void>
  /** Puts off this one and what else its agreement has to tell. */
  putOff: (agreementId: string, until: Date) => Promise<void>
}

export function createInstructionStore(database: Database): InstructionStore {
  return {
    async add({ id: agreementId, revision }, { id, content }, now) {
      const values = { id, agreement_id: agreementId, revision, content, now }
      return (await database.run(sql.addInstruction, values)).length > 0
    },
    async withdrawAmendment({ id: agreementId, revision, pendingAmendment }, id, now) {
      if (pendingAmendment === null) return
      const content = { kind: 'withdraw_amendment', amendmentId: pendingAmendment.id } as const
      await database.run(sql.withdrawAmendment, { id, agreement_id: agreementId, revision, content, now })
    },
    isWaiting: async (agreementId) =>
      (await database.run(sql.findInstructionOf, { agreement_id: agreementId })).length > 0,
    async findDue(most, now) {
      const rows = await database.run(sql.findDueInstructions, { most, now })
      return rows.map(({ id, merchant_id: merchantId }) => ({ id, merchantId, targetId: merchantId }))
    },
    async take(due, now) {
      const ids = due.map(({ id }) => id)
      const until = new Date(now.getTime() + LEASE_MS)
      const rows = await database.run(sql.takeInstructions, { ids, now, taken_until: until })
      return rows.map(({ agreement_id: agreementId, merchant_id: merchantId, ...row }) => ({
        ...row,
        agreementId,
        merchantId,
      }))
    },
    async remove(id, now) {
      await database.run(sql.removeInstruction, { id, now })
    },
    async putOff(agreementId, until) {
      await database.run(sql.putOffInstructions, { agreement_id: agreementId, next_at: until })
    },
  }
}
