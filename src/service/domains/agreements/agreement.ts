import type { AgreementRequest } from '../../../contract/api/agreements/agreement-request.ts'
import type {
  AGREEMENT_CHANGES,
  AgreementResource,
} from '../../../contract/api/agreements/agreement-resource.ts'
import type { StatusRequest } from '../../../contract/api/agreements/agreement-status-request.ts'
import { ServiceError } from '../../platform/errors.ts'
import { nextState } from '../../platform/state-machine.ts'
import type { Moves } from '../../platform/state-machine.ts'
import { maskedCreditor, maskedDebtor } from './accounts.ts'
import { addDays, dayAt } from './calendar.ts'
import type { Day } from './calendar.ts'
import type { InstructionContent, NewInstruction } from './instruction.ts'
import {
  LONGEST_ANSWER_MS,
  amountsFault,
  answerFault,
  daysFault,
  nextDueDay,
  refuseFaults,
  refuseLastWithoutEnd,
  toTerms,
} from './terms.ts'
import type { Schedule, Terms } from './terms.ts'

export type AgreementState = AgreementResource['status']

/** `lapse`: the debtor did not answer in time. `expire`: the end date has passed, or the last payment has settled. */
export type AgreementAction = 'accept' | 'decline' | 'lapse' | 'suspend' | 'release' | 'cancel' | 'expire'

/** The state table of agreements (contract §6.4). */
export const agreementMoves: Moves<AgreementState, AgreementAction> = {
  created: { accept: 'active', decline: 'cancelled', lapse: 'cancelled', cancel: 'cancelled' },
  active: { suspend: 'suspended', cancel: 'cancelled', expire: 'expired' },
  suspended: { release: 'active', cancel: 'cancelled', expire: 'expired' },
  cancelled: {},
  expired: {},
}

/** The kinds of changes: entries of the history, and events of type `agreement.…`. */
export type AgreementChange = (typeof AGREEMENT_CHANGES)[number]

/** Who made a change: the merchant, the payer, or the service by itself. */
export type Party = 'creditor' | 'debtor' | 'service'

export interface Reason {
  code: NonNullable<AgreementResource['reason_code']>
  text: string | null
}

/** A change that the debtor is asked to agree to. Null leaves a term as it is. */
export interface Amendment {
  /** Our own id, which never changes: the network tells amendments apart by it. */
  id: string
  terms: Terms | null
  endDate: Day | null
  maxPayments: number | null
  responseRequiredBy: Date
  requestedAt: Date
}

/** A payer's standing authority to be paid (contract §6). */
export interface Agreement extends Schedule {
  id: string
  merchantId: string
  status: AgreementState
  /** Counts the amendments that took effect. */
  version: number
  /** Counts every change; it is the ETag. */
  revision: number
  description: string
  shortDescription: string | null
  purpose: AgreementResource['purpose']
  /** As answers show both: account numbers and PayIDs are masked. The full ones are kept sealed. */
  debtor: AgreementResource['debtor']
  creditor: AgreementResource['creditor']
  /** Only an adhoc agreement has one. */
  maxPayments: number | null
  responseRequiredBy: Date
  pendingAmendment: Amendment | null
  suspendedBy: AgreementResource['suspended_by']
  /** Why it was suspended or cancelled. */
  reason: Reason | null
  reference: string | null
  metadata: Readonly<Record<string, string>>
  /** The day of the next payment that the service collects; null if it collects none. */
  nextDueOn: Day | null
  /** Due days up to this one are handled: collected, skipped, or never to be collected. */
  dueDaysDoneUntil: Day | null
  createdAt: Date
  updatedAt: Date
}

/** The fields that can change. Each entry of the history keeps them as they were right after the change. */
export type AgreementFacts = Omit<
  Agreement,
  | 'id'
  | 'merchantId'
  | 'type'
  | 'revision'
  | 'purpose'
  | 'startDate'
  | 'debtor'
  | 'creditor'
  | 'responseRequiredBy'
  | 'createdAt'
  | 'updatedAt'
>

export type NewAgreement = Omit<Agreement, 'revision' | 'pendingAmendment' | 'createdAt' | 'updatedAt'>

/** A change of an agreement, as the rules decide it. */
export interface Decision {
  type: AgreementChange
  by: Party
  reason: Reason | null
  /** The fields that change. */
  facts: Partial<AgreementFacts>
  /** The instruction that the network gets. */
  instruction: InstructionContent | null
}

/** A decision as it is recorded: with its ids and its time. */
export interface NewChange extends Omit<Decision, 'instruction'> {
  /** The id of the history's entry and of the event. */
  id: string
  /** The network's id of what the debtor did in its bank: each notice is applied once. */
  noticeId: string | null
  instruction: NewInstruction | null
  at: Date
}

/** An entry of the history. */
export interface RecordedChange {
  id: string
  agreementId: string
  revision: number
  type: AgreementChange
  by: Party
  reason: Reason | null
  facts: AgreementFacts
  at: Date
}

/**
 * Makes the agreement that a request asks for, in state `created`. Throws `outside_terms` for days and times that cannot be, and
 * `validation_error` for a last payment without an end (contract §6.3).
 */
export function toNewAgreement(
  request: AgreementRequest,
  { id, merchantId, nowMs }: { id: string; merchantId: string; nowMs: number },
): NewAgreement {
  const today = dayAt(nowMs)
  const agreement: NewAgreement = {
    id,
    merchantId,
    type: request.type,
    status: 'created',
    version: 0,
    description: request.description,
    shortDescription: request.short_description ?? null,
    purpose: request.purpose,
    startDate: request.start_date ?? today,
    endDate: request.end_date ?? null,
    debtor: maskedDebtor(request.debtor),
    creditor: maskedCreditor(request.creditor),
    terms: toTerms(request.payment_terms),
    maxPayments: request.max_number_of_payments ?? null,
    responseRequiredBy: request.response_required_by ?? new Date(nowMs + LONGEST_ANSWER_MS),
    suspendedBy: null,
    reason: null,
    reference: request.reference ?? null,
    metadata: request.metadata ?? {},
    nextDueOn: null,
    dueDaysDoneUntil: null,
  }
  refuseLastWithoutEnd(agreement)
  refuseFaults([
    agreement.startDate < today ? 'The start_date is before today.' : null,
    daysFault(agreement),
    amountsFault(agreement.terms),
    answerFault(agreement.responseRequiredBy, nowMs),
  ])
  return agreement
}

const CHANGE_BY: Readonly<Record<AgreementAction, AgreementChange>> = {
  accept: 'accepted',
  decline: 'declined',
  lapse: 'lapsed',
  suspend: 'suspended',
  release: 'released',
  cancel: 'cancelled',
  expire: 'expired',
}

/** The instruction for an action of the merchant or the service. The debtor accepts and declines in its bank by itself. */
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
 * The changes that an action makes, in order. None if the state table lacks the action, or if the agreement would be released by
 * a party that did not suspend it (contract §6.4).
 */
export function decideMove(agreement: Agreement, { action, by, reason = null, day }: Move): Decision[] {
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
  return [...(action === 'release' ? skipDueDaysBefore(agreement, day) : []), move]
}

/**
 * Merchant and debtor may both have suspended the agreement, each before hearing of the other. A release by one then leaves it
 * suspended by the other. Null for any other action.
 */
function sharedSuspension(
  { suspendedBy }: Agreement,
  { action, by, reason = null }: Omit<Move, 'day'>,
): Decision | null {
  const change = { type: CHANGE_BY[action], by, reason }
  if (action === 'suspend' && by === 'debtor' && suspendedBy === 'creditor')
    return { ...change, facts: { suspendedBy: 'both' }, instruction: null }
  if (action !== 'release' || suspendedBy !== 'both') return null
  // The bank does not know of the merchant's suspension, so the debtor's release there was a full one.
  return by === 'debtor'
    ? { ...change, facts: { suspendedBy: 'creditor' }, instruction: { kind: 'suspend' } }
    : { ...change, facts: { suspendedBy: 'debtor', reason: null }, instruction: { kind: 'release' } }
}

function factsAfter(
  agreement: Agreement,
  { status, by, reason, day }: { status: AgreementState; by: Party; reason: Reason | null; day: Day },
): Partial<AgreementFacts> {
  if (status === 'active')
    return { status, suspendedBy: null, reason: null, ...dueDaysFrom(agreement, agreement, day) }
  if (status === 'suspended') return { status, suspendedBy: by === 'service' ? null : by, reason }
  return { status, suspendedBy: null, reason, pendingAmendment: null, nextDueOn: null }
}

/**
 * The first due day of these terms, from this day on, that is not handled yet. Earlier days are not made up for: neither those before
 * the debtor's consent nor those during a suspension.
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

/** Skips due days before today that were not collected during a suspension, and says so in the history (contract §6.5). */
export function skipDueDaysBefore(agreement: Agreement, today: Day): Decision[] {
  const { nextDueOn } = agreement
  if (nextDueOn === null || nextDueOn >= today) return []
  const facts = dueDaysFrom(agreement, agreement, today)
  return [{ type: 'collection_skipped', by: 'service', reason: null, facts, instruction: null }]
}

/** The changes that the merchant's action makes; throws `unfulfilled_condition` if it is not allowed. */
export function decideStatus(agreement: Agreement, request: StatusRequest, today: Day): Decision[] {
  const { action } = request
  if (nextState(agreementMoves, agreement.status, action) === null)
    throw unfulfilled(`The agreement is ${agreement.status}; ${action} is not possible.`)
  const decisions = decideMove(agreement, { action, by: 'creditor', reason: reasonOf(request), day: today })
  if (decisions.length === 0)
    throw unfulfilled('The debtor suspended the agreement in its bank, and releases it there.')
  return decisions
}

function reasonOf({ reason_code: code, reason }: StatusRequest): Reason | null {
  return code === undefined ? null : { code, text: reason ?? null }
}

/** The error for a change that the agreement's state does not allow. */
export function unfulfilled(message: string): ServiceError {
  return new ServiceError('unfulfilled_condition', message)
}
