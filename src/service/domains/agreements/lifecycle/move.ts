import { nextState } from '../../../platform/state-machine.ts'
import { agreementMoves } from '../agreement.ts'
import type {
  Agreement,
  AgreementAction,
  AgreementChange,
  AgreementFacts,
  Party,
  Reason,
} from '../agreement.ts'
import { nextDueDay } from '../terms/due-days.ts'
import type { Schedule } from '../terms/due-days.ts'
import { addDays } from '../terms/day.ts'
import type { Day } from '../terms/day.ts'
import type { Decision } from './decision.ts'
import type { InstructionContent } from './instruction.ts'
import type { StatusRequest } from '../../../../contract/api/agreements/agreement-status-request.ts'
import { unfulfilled } from './decision.ts'

const CHANGE_BY: Readonly<Record<AgreementAction, AgreementChange>> = {
  accept: 'accepted',
  decline: 'declined',
  lapse: 'lapsed',
  suspend: 'suspended',
  release: 'released',
  cancel: 'cancelled',
  expire: 'expired',
}

/** The instruction for an action of ours; the debtor accepts and declines at its bank by itself. */
const INSTRUCTION_OF: Readonly<Record<AgreementAction, InstructionContent | null>> = {
  accept: null,
  decline: null,
  lapse: { kind: 'cancel' },
  suspend: { kind: 'suspend' },
  release: { kind: 'release' },
  cancel: { kind: 'cancel' },
  expire: { kind: 'expire' },
}

interface Move {
  action: AgreementAction
  by: Party
  reason?: Reason | null
  /** The day in Sydney on which it is done. */
  day: Day
}

/**
 * The changes that an action makes, in order; none where the state table lacks it, or where somebody else than who suspended an
 * agreement would release it (contract §6.4).
 */
export function moved(agreement: Agreement, { action, by, reason = null, day }: Move): Decision[] {
  const shared = sharedSuspension(agreement, { action, by, reason })
  if (shared !== null) return [shared]
  const status = nextState(agreementMoves, agreement.status, action)
  if (status === null || (action === 'release' && agreement.suspendedBy !== by)) return []
  const facts = factsAfter(agreement, { status, by, reason, day })
  const move = {
    type: CHANGE_BY[action],
    by,
    reason,
    facts,
    instruction: by === 'debtor' ? null : INSTRUCTION_OF[action],
  }
  return [...(action === 'release' ? skippedBefore(agreement, day) : []), move]
}

/**
 * Both may have suspended the agreement, each before hearing of the other. Then a release by one of them leaves it suspended by
 * the other. Null for any other move.
 */
function sharedSuspension(
  { suspendedBy }: Agreement,
  { action, by, reason = null }: Omit<Move, 'day'>,
): Decision | null {
  const change = { type: CHANGE_BY[action], by, reason }
  if (action === 'suspend' && by === 'debtor' && suspendedBy === 'creditor')
    return { ...change, facts: { suspendedBy: 'both' }, instruction: null }
  if (action !== 'release' || suspendedBy !== 'both') return null
  // In its bank the debtor has released all of it: the bank does not know of the merchant's suspension.
  return by === 'debtor'
    ? { ...change, facts: { suspendedBy: 'creditor' }, instruction: { kind: 'suspend' } }
    : { ...change, facts: { suspendedBy: 'debtor', reason: null }, instruction: { kind: 'release' } }
}

interface After {
  status: Agreement['status']
  by: Party
  reason: Reason | null
  day: Day
}

function factsAfter(agreement: Agreement, { status, by, reason, day }: After): Partial<AgreementFacts> {
  if (status === 'active')
    return { status, suspendedBy: null, reason: null, ...dueDaysFrom(agreement, agreement, day) }
  if (status === 'suspended') return { status, suspendedBy: by === 'service' ? null : by, reason }
  return { status, suspendedBy: null, reason, pendingAmendment: null, nextDueOn: null }
}

/**
 * The first due day of these terms, from this day on, that has not been handled. Earlier days are not made up for: neither those
 * before the debtor's consent nor those during a suspension.
 */
export function dueDaysFrom(
  { dueDaysDoneUntil }: Agreement,
  schedule: Schedule,
  day: Day,
): Pick<AgreementFacts, 'nextDueOn' | 'dueDaysDoneUntil'> {
  const before = addDays(day, -1)
  const done = dueDaysDoneUntil !== null && dueDaysDoneUntil > before ? dueDaysDoneUntil : before
  return { nextDueOn: nextDueDay(schedule, done), dueDaysDoneUntil: done }
}

/** Due days before this one that were not collected during a suspension never will be; the history says so (contract §6.5). */
export function skippedBefore(agreement: Agreement, today: Day): Decision[] {
  const { nextDueOn } = agreement
  if (nextDueOn === null || nextDueOn >= today) return []
  const facts = dueDaysFrom(agreement, agreement, today)
  return [{ type: 'collection_skipped', by: 'service', reason: null, facts, instruction: null }]
}

/** How the merchant's action changes an agreement; throws `unfulfilled_condition` where it is not allowed. */
export function decideStatus(agreement: Agreement, request: StatusRequest, today: Day): Decision[] {
  const { action } = request
  if (nextState(agreementMoves, agreement.status, action) === null)
    throw unfulfilled(`The agreement is ${agreement.status}; ${action} is not possible.`)
  const decisions = moved(agreement, { action, by: 'creditor', reason: reasonOf(request), day: today })
  if (decisions.length === 0)
    throw unfulfilled('The debtor suspended the agreement in its bank, and releases it there.')
  return decisions
}

function reasonOf({ reason_code: code, reason }: StatusRequest): Reason | null {
  return code === undefined ? null : { code, text: reason ?? null }
}
