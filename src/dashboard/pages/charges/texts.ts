import type { CHARGE_STATUSES } from '../../../contract/api/charges/charge-resource.ts'
import type { LISTED_STATUSES } from '../../../contract/dashboard/payments/charge-list.ts'

export type ChargeStatus = (typeof CHARGE_STATUSES)[number]

/** States of a charge in a word; what each means stands at the charge itself. */
export const statusTexts: Readonly<Record<ChargeStatus, string>> = {
  processing: 'Processing',
  pre_authentication_pending: 'At the bank',
  pending: 'Held',
  complete: 'Captured',
  cancelled: 'Cancelled',
  failed: 'Failed',
  not_authenticated: 'Not authenticated',
  refunded: 'Refunded',
}

export const listedStatusTexts: Readonly<Record<(typeof LISTED_STATUSES)[number], string>> = {
  ...statusTexts,
  outcome_unknown: 'No known outcome',
}

export const chargeTexts = {
  title: 'Charges',
  description: 'Every card that was charged, and every hold, the newest first.',
  list: 'Charges',
  export: 'Export CSV',
  search: 'Reference, last four digits, name, e-mail, amount, id or metadata (order_id: A1)',
  columns: { amount: 'Amount', status: 'Status', card: 'Card', reference: 'Reference', time: 'Time' },
  filters: {
    status: 'Status',
    scheme: 'Scheme',
    from: 'Amount from',
    to: 'Amount to',
  },
  partlyRefunded: 'Partly refunded',
  unknown: 'Asking the gateway',
  ends: 'ends',
  captured: 'captured',
  disputed: 'Disputed',
  noReference: '—',
  newRows: (count: number) => (count === 1 ? '1 new charge' : `${String(count)} new charges`),
  none: {
    title: 'No charges yet',
    words: 'A charge appears here as soon as a shopper pays, or your server sends POST /v1/charges.',
  },
} as const
