import type { Database, Queries } from '../../../platform/database/database.ts'
import type { CreateId } from '../../../platform/identifiers.ts'
import type { DebtorAddress, Instruction, PaymentNetwork } from '../payment-network.ts'
import type { Ledger } from './ledger.ts'
import { forgetNotices, isSomethingNew, keepInstruction, oldestNotices, refusalOf } from './mailbox.ts'
import { follow, toOffer } from './mandate.ts'
import type { Mandate } from './mandate.ts'
import { lockMandateById, openMandateOnce, pausingMandates, updateMandate } from './mandate-store.ts'
import type { Payer } from './payer.ts'
import { courseOf } from './steering.ts'

interface Parts {
  database: Database
  ledger: Ledger
  payer: Payer
  createId: CreateId
  /** The time of day, in ms since 1970. */
  epochMs: () => number
}

type Creation = Extract<Instruction, { kind: 'create' }>
type Change = Exclude<Instruction, Creation>
type Followed = { kind: 'done' } | { kind: 'refused'; message: string }

/** How long after it has accepted a debtor suspends that pauses. */
const PAUSES_AFTER_MS = 1000

/** A network with books of its own, whose debtors are steered by their PayIDs and account numbers (contract §6.8). */
export function createSandboxNetwork({ database, ledger, payer, createId, epochMs }: Parts): PaymentNetwork {
  return {
    resolve(debtor) {
      const { found } = courseOf(debtor)
      const name = 'payId' in debtor ? 'Sandbox Payer' : null
      return Promise.resolve(found === 'found' ? { kind: found, name } : { kind: found })
    },
    instruct: (instruction) =>
      instruction.kind === 'create'
        ? open(instruction)
        : database.transaction((queries) => change(queries, instruction)),
    async notices(max) {
      if (!(await isSomethingNew(database, new Date(epochMs())))) return []
      for (const id of await pausingMandates(database, new Date(epochMs()))) await payer.answer(id, 'suspend')
      return oldestNotices(database, max)
    },
    acknowledge: (noticeIds) => forgetNotices(database, noticeIds),
    async pay(order) {
      const { outcome, isHeard } = await ledger.enter({ order, networkReference: createId() })
      return isHeard ? outcome : { kind: 'unknown' }
    },
    outcomeOf: async (paymentId) => (await ledger.outcomeOf(paymentId)) ?? { kind: 'not_received' },
    check: () => database.check(),
  }

  async function open(instruction: Creation): Promise<Followed | { kind: 'unreachable' }> {
    const course = courseOf(addressOf(instruction.debtor))
    if (course.found === 'unreachable') return { kind: 'unreachable' }
    if (course.found === 'not_found') return refused('There is no such PayID or account.')
    const now = epochMs()
    await openMandateOnce(database, toMandate(instruction, course.answer, new Date(now)), {
      payments: course.payments,
      pausesAt: course.pauses ? new Date(now + PAUSES_AFTER_MS) : null,
      answer: course.answer,
      noticeId: createId(),
    })
    return { kind: 'done' }
  }

  async function change(queries: Queries, instruction: Change): Promise<Followed> {
    const { id, agreementId } = instruction
    const mandate = await lockMandateById(queries, agreementId)
    if (mandate === null) return refused('There is no such mandate.')
    const known = await refusalOf(queries, id)
    if (known !== undefined) return followed(known)
    const decision = follow(mandate, instruction)
    if (decision.mandate !== null) {
      await updateMandate(queries, decision.mandate)
      if (instruction.kind === 'amend' && mandate.acceptsAmendments) {
        await payer.answerLocked(queries, decision.mandate, 'accept_amendment')
      }
    }
    await keepInstruction(queries, { id, agreementId, refusal: decision.refusal, at: new Date(epochMs()) })
    return followed(decision.refusal)
  }
}

const refused = (message: string): Followed => ({ kind: 'refused', message })
const followed = (refusal: string | null): Followed =>
  refusal === null ? { kind: 'done' } : refused(refusal)

/** The contract's schema has seen to it that one of the two is there. */
function addressOf({ account, pay_id: payId }: Creation['debtor']): DebtorAddress {
  if (payId !== undefined) return { payId }
  if (account !== undefined) return { account }
  throw new Error('a debtor has neither an account nor a PayID')
}

/** A new mandate as it is once its debtor has answered, or waits for its payer. */
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
