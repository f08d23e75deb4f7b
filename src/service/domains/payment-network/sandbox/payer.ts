import type { CreateId } from '../../../platform/identifiers.ts'
import type { Database, Queries } from '../../../platform/database/database.ts'
import type { DebtorAnswer } from '../payment-network.ts'
import { addNotice } from './mailbox.ts'
import { answer } from './mandate.ts'
import type { Decision, Mandate } from './mandate.ts'
import { lockMandateById, mandateById, updateMandate } from './mandate-store.ts'

interface Parts {
  database: Database
  createId: CreateId
  /** The time of day, in ms since 1970. */
  epochMs: () => number
}

/** What payers of the sandbox do in their bank; the network tells of it by notices. */
export interface Payer {
  /** What the bank has of an agreement. */
  mandateOf: (agreementId: string) => Promise<Mandate | null>
  /** Null: there is no such mandate. */
  answer: (agreementId: string, given: DebtorAnswer) => Promise<Decision | null>
  /** The same for a mandate that the caller's transaction has locked. */
  answerLocked: (queries: Queries, mandate: Mandate, given: DebtorAnswer) => Promise<Decision>
}

export function createPayer({ database, createId, epochMs }: Parts): Payer {
  async function answerLocked(queries: Queries, mandate: Mandate, given: DebtorAnswer): Promise<Decision> {
    const now = epochMs()
    const decision = answer(mandate, given, now)
    if (decision.mandate === null) return decision
    await updateMandate(queries, decision.mandate)
    const isOfAmendment = given === 'accept_amendment' || given === 'decline_amendment'
    const amendmentId = isOfAmendment ? (mandate.pendingAmendment?.id ?? null) : null
    const notice = { id: createId(), agreementId: mandate.id, answer: given, amendmentId, at: new Date(now) }
    await addNotice(queries, notice)
    return decision
  }
  return {
    mandateOf: (agreementId) => mandateById(database, agreementId),
    answerLocked,
    answer: (agreementId, given) =>
      database.transaction(async (queries) => {
        const mandate = await lockMandateById(queries, agreementId)
        return mandate === null ? null : answerLocked(queries, mandate, given)
      }),
  }
}
