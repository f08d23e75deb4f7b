import type { Column } from '../components/data/data-table.tsx'
import { centsOf } from '../formats/cents.ts'
import { Money } from '../formats/money.tsx'

/** The column of what each row is worth; `amount` is in units of its currency. */
export function amountColumn<Row extends { amount: number; currency: string }>(title: string): Column<Row> {
  return {
    key: 'amount',
    title,
    align: 'end',
    cell: ({ amount, currency }) => <Money cents={centsOf(amount)} currency={currency} />,
  }
}
