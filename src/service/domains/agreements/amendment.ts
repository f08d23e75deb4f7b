import { changesTerms, hasNoFrequency } from '../../../contract/api/agreements/agreement-request.ts'
import type { AmendmentRequest } from '../../../contract/api/agreements/agreement-request.ts'
import { hasRoom, merged, tooMany } from '../../../contract/api/fields/metadata.ts'
import { ServiceError, invalidField } from '../../platform/errors.ts'
import { dueDaysFrom, skipDueDaysBefore, unfulfilled } from './agreement.ts'
import type { Agreement, AgreementFacts, Amendment, Decision, Party } from './agreement.ts'
import { dayAt } from './calendar.ts'
import type { Day } from './calendar.ts'
import { toMandate } from './instruction.ts'
import {
  LONGEST_ANSWER_MS,
  amountsFault,
  answerFault,
  daysFault,
  refuseFaults,
  refuseLastWithoutEnd,
  toTerms,
} from './terms.ts'

/** What an amendment depends on beside the agreement and the request. */
interface Asked {
  amendmentId: string
  nowMs: number
  /** Payments of the agreement that have not failed; counted only where the number matters. */
  paymentsMade: number
}

/**
 * Decides what a request to amend does to an agreement: words change at once, for terms the debtor is asked. Throws
 * `unfulfilled_condition`, `amendment_pending`, `outside_terms`, or `validation_error` for a field of another type of agreement.
 */
export function decideAmendment(agreement: Agreement, request: AmendmentRequest, asked: Asked): Decision {
  return changesTerms(request) ? requestAmendment(agreement, request, asked) : amendAtOnce(agreement, request)
}

/** The amendment that the debtor has agreed to takes effect. Due days that went by under the terms before it are skipped. */
export function acceptAmendment(agreement: Agreement, amendment: Amendment, today: Day): Decision[] {
  const after = termsAfter(agreement, amendment)
  const facts: Partial<AgreementFacts> = {
    ...after,
    version: agreement.version + 1,
    pendingAmendment: null,
    ...dueDaysFrom(agreement, { ...agreement, ...after }, today),
  }
  const change = { type: 'amended', by: 'debtor', reason: null, facts, instruction: null } as const
  return [...skipDueDaysBefore(agreement, today), change]
}

/** Drops the pending amendment: the debtor has declined it, the network refuses it, or the bank has withdrawn it. */
export function dropAmendment(why: 'amendment_declined' | 'amendment_lapsed', by: Party): Decision {
  return { type: why, by, reason: null, facts: { pendingAmendment: null }, instruction: null }
}

function amendAtOnce(agreement: Agreement, request: AmendmentRequest): Decision {
  const { status } = agreement
  if (status === 'cancelled' || status === 'expired')
    throw unfulfilled(`The agreement is ${status} and cannot be amended.`)
  const metadata = merged(agreement.metadata, request.metadata ?? {})
  if (!hasRoom(metadata)) throw invalidField('metadata', tooMany())
  const facts = {
    version: agreement.version + 1,
    description: request.description ?? agreement.description,
    shortDescription: request.short_description ?? agreement.shortDescription,
    reference: request.reference ?? agreement.reference,
    metadata,
  }
  const { description, shortDescription } = facts
  const isReadByDebtor = request.description !== undefined || request.short_description !== undefined
  return {
    type: 'amended',
    by: 'creditor',
    reason: null,
    facts,
    instruction: isReadByDebtor ? { kind: 'describe', description, shortDescription } : null,
  }
}

function requestAmendment(agreement: Agreement, request: AmendmentRequest, asked: Asked): Decision {
  if (agreement.status !== 'active')
    throw unfulfilled(`The agreement is ${agreement.status}; its terms are amended while it is active.`)
  if (agreement.pendingAmendment !== null)
    throw new ServiceError(
      'amendment_pending',
      'The debtor has not answered the amendment before this one yet.',
    )
  refuseOtherType(agreement, request)
  const pendingAmendment = toAmendment(request, asked)
  const amended = { ...agreement, ...termsAfter(agreement, pendingAmendment) }
  refuseLastWithoutEnd(amended)
  const { responseRequiredBy } = pendingAmendment
  refuseFaults([
    endFault(request, dayAt(asked.nowMs)),
    daysFault(amended),
    amountsFault(amended.terms),
    paymentsFault(request, asked.paymentsMade),
    answerFault(responseRequiredBy, asked.nowMs),
  ])
  return {
    type: 'amendment_requested',
    by: 'creditor',
    reason: null,
    facts: { pendingAmendment },
    instruction: {
      kind: 'amend',
      amendmentId: asked.amendmentId,
      mandate: toMandate({ ...amended, responseRequiredBy }),
    },
  }
}

function toAmendment(request: AmendmentRequest, { amendmentId, nowMs }: Asked): Amendment {
  return {
    id: amendmentId,
    terms: request.payment_terms === undefined ? null : toTerms(request.payment_terms),
    endDate: request.end_date ?? null,
    maxPayments: request.max_number_of_payments ?? null,
    responseRequiredBy: request.response_required_by ?? new Date(nowMs + LONGEST_ANSWER_MS),
    requestedAt: new Date(nowMs),
  }
}

function endFault({ end_date: end }: AmendmentRequest, today: Day): string | null {
  return end !== undefined && end < today ? 'The end_date is before today.' : null
}

function paymentsFault(
  { max_number_of_payments: max }: AmendmentRequest,
  paymentsMade: number,
): string | null {
  return max !== undefined && paymentsMade > max
    ? 'The max_number_of_payments is below the number of payments that were made already.'
    : null
}

function termsAfter(
  agreement: Agreement,
  { terms, endDate, maxPayments }: Amendment,
): Pick<Agreement, 'terms' | 'endDate' | 'maxPayments'> {
  return {
    terms: terms ?? agreement.terms,
    endDate: endDate ?? agreement.endDate,
    maxPayments: maxPayments ?? agreement.maxPayments,
  }
}

/** Refuses fields of another type of agreement, which the schema of the request does not know. */
function refuseOtherType({ type }: Agreement, request: AmendmentRequest): void {
  const { payment_terms: terms, max_number_of_payments: max } = request
  if (max !== undefined && type !== 'adhoc')
    throw invalidField('max_number_of_payments', 'may be given for an adhoc agreement only')
  if (terms === undefined) return
  if (type === 'recurring' && terms.frequency === undefined)
    throw invalidField('payment_terms', 'must have a frequency when the agreement is recurring')
  if (type !== 'recurring' && !hasNoFrequency(terms))
    throw invalidField(
      'payment_terms',
      'may have a frequency, and what goes with it, only when the agreement is recurring',
    )
}
