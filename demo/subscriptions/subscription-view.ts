import type { Agreement, AgreementPayment } from '../card-service/agreement.ts'
import { dayInWords, timeInWords } from '../card-service/day-words.ts'
import { termsInWords } from '../card-service/terms-words.ts'
import { inDollars } from '../orders/money.ts'

/** A subscription as the shop's pages show it. */
export type SubscriptionView = ReturnType<typeof toSubscriptionView>

/** The state as the pages tell it: how an agreement was cancelled makes a difference to a reader. */
type Stage =
  | 'waiting'
  | 'active'
  | 'suspended'
  | 'declined'
  | 'unanswered'
  | 'cancelled'
  | 'expired'
  | 'unknown'

export function toSubscriptionView(agreement: Agreement) {
  const { payment_terms: terms, pending_amendment: pending, next_collection_date: next } = agreement
  const asked = pending?.payment_terms
  return {
    id: agreement._id,
    name: agreement.debtor.name,
    account: accountOf(agreement.debtor),
    description: agreement.description,
    since: dayInWords(agreement.start_date),
    stage: stageOf(agreement),
    suspended_by: agreement.suspended_by,
    amount: inDollars(terms.amount ?? 0),
    often: termsInWords(terms, 'recurring').often,
    is_collected: terms.point_in_period !== null,
    next_collection: next === null ? null : dayInWords(next),
    answer_by: timeInWords(agreement.response_required_by),
    pending: pending && {
      amount: inDollars(asked?.amount ?? terms.amount ?? 0),
      answer_by: timeInWords(pending.response_required_by),
    },
  }
}

export function toPaymentView({
  _id: id,
  status,
  amount,
  description,
  failure,
  due_on,
  created_at,
}: AgreementPayment) {
  return {
    id,
    status,
    amount: inDollars(amount),
    description: description ?? (due_on === null ? 'Lamp of the month' : `Lamp of ${dayInWords(due_on)}`),
    failure: failure?.code ?? null,
    at: timeInWords(created_at),
  }
}

const STAGES: Record<string, Stage> = {
  created: 'waiting',
  active: 'active',
  suspended: 'suspended',
  expired: 'expired',
}

/** The history tells apart who or what ended an agreement. */
function stageOf({ status, history }: Agreement): Stage {
  if (status !== 'cancelled') return STAGES[status] ?? 'unknown'
  const last = history.findLast(({ type }) => ENDS[type] !== undefined)
  return ENDS[last?.type ?? ''] ?? 'cancelled'
}

const ENDS: Record<string, Stage> = { declined: 'declined', lapsed: 'unanswered', cancelled: 'cancelled' }

function accountOf({ account, pay_id: payId }: Agreement['debtor']): string {
  if (payId) return `PayID ${payId.value}`
  return account ? `BSB ${account.bsb}, account ${account.account_number}` : ''
}
