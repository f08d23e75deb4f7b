import type { VNode } from 'preact'
import type { ChargeSummary } from '../../../contract/dashboard/payments/charge-list.ts'
import type { Column } from '../../components/data/data-table.tsx'
import { centsOf } from '../../formats/cents.ts'
import { Moment } from '../../formats/moment.tsx'
import { Money } from '../../formats/money.tsx'
import { CardName } from './card-name.tsx'
import { ChargeStatusBadge } from './charge-status.tsx'
import { chargeTexts } from './texts.ts'

const { columns } = chargeTexts

/** What the list shows of a charge. */
export const CHARGE_COLUMNS: readonly Column<ChargeSummary>[] = [
  {
    key: 'amount',
    title: columns.amount,
    align: 'end',
    cell: ({ amount, currency }) => <Money cents={centsOf(amount)} currency={currency} />,
  },
  { key: 'status', title: columns.status, isState: true, cell: (charge) => <Status {...charge} /> },
  {
    key: 'card',
    title: columns.card,
    cell: ({ card_scheme, card_last4 }) => <CardName scheme={card_scheme} last4={card_last4} />,
  },
  {
    key: 'reference',
    title: columns.reference,
    cell: ({ reference, customer_name }) => (
      <span class="two-lines">
        <span>{reference ?? <span class="soft">{chargeTexts.noReference}</span>}</span>
        {customer_name !== null && <span class="soft">{customer_name}</span>}
      </span>
    ),
  },
  { key: 'time', title: columns.time, cell: ({ created_at }) => <Moment at={created_at} /> },
]

/** The state; beside a hold when it ends, and beside what was captured in part how much that was. */
function Status(charge: ChargeSummary): VNode {
  const { status, is_outcome_open, amount, captured_amount, refunded_amount, hold_ends_at } = charge
  const isPartlyCaptured = captured_amount > 0 && captured_amount < amount
  return (
    <span class="status-cell">
      <ChargeStatusBadge
        status={status}
        isPartlyRefunded={refunded_amount > 0}
        isOutcomeOpen={is_outcome_open}
      />
      {hold_ends_at !== null && !is_outcome_open && (
        <span class="soft">
          {chargeTexts.ends} <Moment at={hold_ends_at} as="relative" />
        </span>
      )}
      {isPartlyCaptured && (
        <span class="soft">
          <Money cents={centsOf(captured_amount)} currency={charge.currency} /> {chargeTexts.captured}
        </span>
      )}
    </span>
  )
}
