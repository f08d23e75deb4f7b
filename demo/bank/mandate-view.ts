import { dayInWords, timeInWords } from '../card-service/day-words.ts'
import { termsInWords } from '../card-service/terms-words.ts'
import { inDollars } from '../orders/money.ts'
import type { Mandate, Offer } from './mandate.ts'

/** One line of what a payer agrees to. */
interface Line {
  label: string
  text: string
}

/** An agreement as the bank's page shows it to the payer. */
export function toMandateView(mandate: Mandate) {
  const { pending_amendment: asked, type } = mandate
  const lines = linesOf(mandate, type)
  return {
    id: mandate._id,
    status: mandate.status,
    suspended_by: mandate.suspended_by,
    payee: mandate.creditor.name,
    payer: mandate.debtor.name,
    lines,
    answer_by: timeInWords(mandate.response_required_by),
    change: asked && {
      answer_by: timeInWords(asked.response_required_by),
      lines: changesBetween(lines, linesOf(asked, type)),
    },
    payments: mandate.payments.map(({ status, amount, reference, created_at }) => ({
      status,
      amount: inDollars(amount),
      reference,
      at: timeInWords(created_at),
    })),
  }
}

function linesOf(offer: Offer, type: string): Line[] {
  const { amount, often, first, last } = termsInWords(offer.payment_terms, type, offer.max_number_of_payments)
  const line = (label: string, text: string | null) => (text === null ? [] : [{ label, text }])
  return [
    ...line('For', offer.description),
    ...line('How much', amount),
    ...line('How often', often),
    ...line('First payment', first),
    ...line('Last payment', last),
    ...line('From', dayInWords(offer.start_date)),
    ...line('Until', offer.end_date === null ? 'You or they end it' : dayInWords(offer.end_date)),
  ]
}

const NOTHING = 'nothing of its own'

/** The lines that an amendment changes, before and after. */
function changesBetween(before: readonly Line[], after: readonly Line[]) {
  const textOf = (lines: readonly Line[], label: string) =>
    lines.find((line) => line.label === label)?.text ?? NOTHING
  return [...new Set([...before, ...after].map(({ label }) => label))]
    .map((label) => ({ label, before: textOf(before, label), after: textOf(after, label) }))
    .filter((line) => line.before !== line.after)
}
