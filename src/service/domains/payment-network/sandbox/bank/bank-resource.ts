import type { SandboxBankAgreement } from '../../../../../contract/api/agreements/sandbox-bank.ts'
import { toAmount } from '../../../../platform/money.ts'
import type { LedgerEntry } from '../ledger.ts'
import type { Mandate, Offer } from '../mandate.ts'

/** A mandate with its last payments → what its payer reads. */
export function toBankResource(mandate: Mandate, payments: readonly LedgerEntry[]): SandboxBankAgreement {
  const { pendingAmendment } = mandate
  return {
    _id: mandate.id,
    status: mandate.status,
    suspended_by: mandate.suspendedBy,
    type: mandate.type,
    purpose: mandate.purpose,
    creditor: { name: mandate.creditorName },
    debtor: { name: mandate.debtorName },
    ...toOfferResource(mandate.offer),
    pending_amendment: pendingAmendment === null ? null : toOfferResource(pendingAmendment.offer),
    payments: payments.map(toPaymentResource),
    created_at: mandate.createdAt.toISOString(),
  }
}

function toOfferResource(offer: Offer) {
  return {
    description: offer.description,
    payment_terms: offer.terms,
    start_date: offer.startDate,
    end_date: offer.endDate,
    max_number_of_payments: offer.maxPayments,
    response_required_by: offer.answerBy,
  }
}

function toPaymentResource(entry: LedgerEntry): SandboxBankAgreement['payments'][number] {
  const { amount, reference, description, outcome, createdAt } = entry
  return {
    amount: toAmount(amount),
    reference,
    description,
    status: outcome.kind,
    failure: outcome.kind === 'failed' ? outcome.code : null,
    created_at: createdAt.toISOString(),
  }
}
