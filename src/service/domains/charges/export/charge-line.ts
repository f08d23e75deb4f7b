import type { ChargeSummary } from '../../../../contract/dashboard/payments/charge-list.ts'
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
] as const satisfies readonly (keyof ChargeSummary)[]

/** The first line of the file: the names of its columns, which are those of the dashboard's API. */
export const HEADING = csvLine(COLUMNS)

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
  }
  return csvLine(COLUMNS.map((name) => cells[name] ?? ''))
}
