import type { ChargeSummary } from '../../../../contract/dashboard/payments/charge-list.ts'
import type { AttemptType } from '../charge.ts'
import { saleOf } from '../charge.ts'
import { toChargeSummary } from '../search/charge-summary.ts'
import type { ListedCharge } from '../search/listed-charges.ts'
import { csvLine } from './csv.ts'

const COLUMNS = [
  'id',
  'created_at',
  'status',
  'amount',
  'currency',
  'captured_amount',
  'refunded_amount',
  'reference',
  'description',
  'customer_name',
  'customer_email',
  'card_scheme',
  'card_last4',
  'gateway_name',
  'hold_ends_at',
  'error_code',
  'error_message',
  'card_holder',
  'captured_at',
  'refunded_at',
  'gateway_reference',
] as const satisfies readonly (keyof ChargeSummary | keyof ReturnType<typeof furtherFacts>)[]

/**
 * The beginning of the file: a mark by which Excel takes it for UTF-8, and the names of the columns, which are those of the dashboard's
 * API where that has them.
 */
export const HEADING = `\ufeff${csvLine(COLUMNS)}`

/** A charge as a line of the file. `timeIn` writes a time for the reader's zone. */
export function toChargeLine(listed: ListedCharge, timeIn: (time: Date) => string): string {
  const summary = toChargeSummary(listed)
  const cells = {
    ...summary,
    created_at: timeIn(listed.charge.createdAt),
    hold_ends_at: listed.holdEndsAt === null ? '' : timeIn(listed.holdEndsAt),
    amount: summary.amount.toFixed(2),
    captured_amount: summary.captured_amount.toFixed(2),
    refunded_amount: summary.refunded_amount.toFixed(2),
    ...furtherFacts(listed, timeIn),
  }
  return csvLine(COLUMNS.map((name) => cells[name] ?? ''))
}

/** What a file has beside what the list shows: the times of the last capture and refund, and the gateway's id of the sale. */
function furtherFacts({ charge }: ListedCharge, timeIn: (time: Date) => string) {
  const timeOf = (type: AttemptType) => {
    const settled = charge.attempts.findLast(
      (one) => one.type === type && one.outcome === 'approved',
    )?.settledAt
    return settled == null ? '' : timeIn(settled)
  }
  return {
    card_holder: charge.paymentSource.card_name,
    captured_at: charge.preAuth ? timeOf('capture') : timeOf('sale'),
    refunded_at: timeOf('refund'),
    gateway_reference: saleOf(charge).externalId,
  }
}
