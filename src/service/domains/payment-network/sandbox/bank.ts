import type { Database, Queries } from '../../../platform/database/database.ts'
import type { CreateId } from '../../../platform/identifiers.ts'
import type { DebtorAddress, DebtorAnswer, Instruction, Notice } from '../payment-network.ts'
import { answer, follow, toOffer } from './mandate.ts'
import type { MandateDecision, Mandate } from './mandate.ts'
import {
  addMandate,
  addNotice,
  isSomethingNew,
  keepInstruction,
  lockMandate,
  oldestNotices,
  pausingMandates,
  refusalOf,
  updateMandate,
} from './mandate-store.ts'
import { scenarioOf } from './payer-scenarios.ts'

/** What the payers' banks of the sandbox need. */
export interface BankDeps {
  database: Database
  createId: CreateId
  /** The time of day, in ms since 1970. */
  epochMs: () => number
}

type Creation = Extract<Instruction, { kind: 'create' }>
type Followed = { kind: 'done' } | { kind: 'refused'; message: string }

/** A payer whose scenario is to pause suspends this long after it has accepted. */
const PAUSES_AFTER_MS = 1000

/** Opens a mandate. Its payer answers at once if its scenario says so. */
export async function openMandate(
  { database, createId, epochMs }: BankDeps,
  creation: Creation,
): Promise<Followed | { kind: 'unreachable' }> {
  const scenario = scenarioOf(addressOf(creation.debtor))
  if (scenario.found === 'unreachable') return { kind: 'unreachable' }
  if (scenario.found === 'not_found') return refused('There is no such PayID or account.')
  const now = epochMs()
  await addMandate(database, toMandate(creation, scenario.answer, new Date(now)), {
    payments: scenario.payments,
    pausesAt: scenario.pauses ? new Date(now + PAUSES_AFTER_MS) : null,
    answer: scenario.answer,
    noticeId: createId(),
  })
  return { kind: 'done' }
}

/** Follows an instruction about an existing mandate, once for each id. */
export function followInstruction(
  deps: BankDeps,
  instruction: Exclude<Instruction, Creation>,
): Promise<Followed> {
  const { id, agreementId } = instruction
  return deps.database.transaction(async (queries) => {
    const mandate = await lockMandate(queries, agreementId)
    if (mandate === null) return refused('There is no such mandate.')
    const known = await refusalOf(queries, id)
    if (known !== undefined) return followed(known)
    const decision = follow(mandate, instruction)
    if (decision.mandate !== null) {
      await updateMandate(queries, decision.mandate)
      if (instruction.kind === 'amend' && mandate.acceptsAmendments)
        await answerLocked(queries, deps, decision.mandate, 'accept_amendment')
    }
    const at = new Date(deps.epochMs())
    await keepInstruction(queries, { id, agreementId, refusal: decision.refusal, at })
    return followed(decision.refusal)
  })
}

/** The payer answers in its bank; the network tells of it by a notice. Null if there is no such mandate. */
export function answerAsPayer(
  deps: BankDeps,
  agreementId: string,
  given: DebtorAnswer,
): Promise<MandateDecision | null> {
  return deps.database.transaction(async (queries) => {
    const mandate = await lockMandate(queries, agreementId)
    return mandate === null ? null : answerLocked(queries, deps, mandate, given)
  })
}

/** The oldest notices. Payers that are to pause by now suspend before it. */
export async function collectNotices(deps: BankDeps, most: number): Promise<Notice[]> {
  const { database, epochMs } = deps
  if (!(await isSomethingNew(database, new Date(epochMs())))) return []
  for (const id of await pausingMandates(database, new Date(epochMs())))
    await answerAsPayer(deps, id, 'suspend')
  return oldestNotices(database, most)
}

async function answerLocked(
  queries: Queries,
  { createId, epochMs }: BankDeps,
  mandate: Mandate,
  given: DebtorAnswer,
): Promise<MandateDecision> {
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

const refused = (message: string): Followed => ({ kind: 'refused', message })
const followed = (refusal: string | null): Followed =>
  refusal === null ? { kind: 'done' } : refused(refusal)

/** The contract's schema requires one of the two. */
function addressOf({ account, pay_id: payId }: Creation['debtor']): DebtorAddress {
  if (payId !== undefined) return { payId }
  if (account !== undefined) return { account }
  throw new Error('a debtor has neither an account nor a PayID')
}

/** A new mandate, after its payer has answered or while it waits for the answer. */
function toMandate(
  { agreementId, type, purpose, debtor, creditor, mandate }: Creation,
  answer: 'accept' | 'decline' | null,
  createdAt: Date,
): Mandate {
  return {
    id: agreementId,
    status: answer === null ? 'created' : answer === 'accept' ? 'active' : 'cancelled',
    suspendedBy: null,
    type,
    purpose,
    creditorName: creditor.name,
    debtorName: debtor.name,
    offer: toOffer(mandate),
    pendingAmendment: null,
    acceptsAmendments: answer === 'accept',
    createdAt,
  }
}
