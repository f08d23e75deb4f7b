import type {
  DisputeCategory,
  DisputeStage,
  DisputeStatus,
} from '../../../contract/api/disputes/dispute-resource.ts'

/** States of a dispute in a word or two. */
export const statusTexts: Readonly<Record<DisputeStatus, string>> = {
  needs_response: 'Needs response',
  under_review: 'Under review',
  won: 'Won',
  lost: 'Lost',
  accepted: 'Accepted',
}

export const stageTexts: Readonly<Record<DisputeStage, string>> = {
  inquiry: 'Inquiry',
  chargeback: 'Chargeback',
  second_chargeback: 'Second chargeback',
}

/** Why card holders dispute, in a word or two. */
export const categoryTexts: Readonly<Record<DisputeCategory, string>> = {
  fraud: 'Not made by the card holder',
  authorisation: 'Not authorised',
  processing_error: 'Processed wrongly',
  not_received: 'Not received',
  not_as_described: 'Not as described',
  cancelled: 'Cancelled or not refunded',
  duplicate: 'Paid twice',
  other: 'Another reason',
}

/** A type of gateway, such as `adyen`, by its name. */
export function gatewayName(type: string): string {
  return type.charAt(0).toUpperCase() + type.slice(1)
}

/** How a deadline is said. */
export const deadlineTexts = {
  over: 'Over',
  unknown: 'Not told',
} as const

/** Where a dispute stands beside its status. */
export const standingTexts = {
  sending: 'Being sent',
  over: 'Deadline over',
} as const

export const disputeTexts = {
  title: 'Disputes',
  description: 'Payments that card holders dispute at their banks, the newest first.',
  descriptionDue: 'Disputes that need a response, the nearest deadline first.',
  list: 'Disputes',
  columns: {
    amount: 'Amount',
    status: 'Status',
    due: 'Answer by',
    reason: 'Reason',
    charge: 'Charge',
    opened: 'Opened',
  },
  filters: { status: 'Status', due: 'Answer by', charge: 'Charge id' },
  due: { 0: 'Today', 3: 'Within 3 days', 7: 'Within 7 days', 14: 'Within 14 days' },
  newRows: (count: number) => (count === 1 ? '1 new dispute' : `${String(count)} new disputes`),
  none: {
    title: 'No disputes',
    words:
      'When a card holder disputes a payment, it appears here as soon as the gateway tells of it. You then defend it with files, or accept it.',
  },
} as const
