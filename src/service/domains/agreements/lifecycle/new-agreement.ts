import type { AgreementRequest } from '../../../../contract/api/agreements/agreement-request.ts'
import type { NewAgreement } from '../agreement-store.ts'
import { maskedCreditor, maskedDebtor } from '../accounts.ts'
import { dayAt } from '../terms/day.ts'
import { toTerms } from '../terms/terms.ts'
import { refuseLastWithoutEnd } from './amend.ts'
import { amountsFault, answerFault, daysFault, LONGEST_ANSWER_MS, refuseFaults } from './outside-terms.ts'

interface Made {
  id: string
  merchantId: string
  nowMs: number
}

/**
 * A request → the agreement that it asks for, `created`. Throws `outside_terms` for days and times that it cannot have, and
 * `validation_error` for a last payment without an end (contract §6.3).
 */
export function toNewAgreement(request: AgreementRequest, { id, merchantId, nowMs }: Made): NewAgreement {
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
