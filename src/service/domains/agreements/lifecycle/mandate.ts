import type { Agreement } from '../agreement.ts'
import { toTermsResource } from '../agreement-resource.ts'
import type { StoredMandate } from './instruction.ts'

/** What the debtor is asked to agree to, for its bank to show. */
export function toMandate(
  agreement: Pick<
    Agreement,
    'description' | 'terms' | 'startDate' | 'endDate' | 'maxPayments' | 'responseRequiredBy'
  >,
): StoredMandate {
  return {
    description: agreement.description,
    terms: toTermsResource(agreement.terms),
    startDate: agreement.startDate,
    endDate: agreement.endDate,
    maxPayments: agreement.maxPayments,
    responseRequiredBy: agreement.responseRequiredBy.toISOString(),
  }
}
