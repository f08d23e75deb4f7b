import type { NeedsAttention } from '../../../contract/dashboard/overview.ts'

export const overviewTexts = {
  title: 'Overview',
  about: (zone: string) => `What became of your charges, by days in ${zone}.`,
  days: 'Days shown',
  presets: { 1: 'Today', 7: '7 days', 30: '30 days', 90: '90 days' },
  currencies: 'Currency',
  uncounted: (count: string) => `${count} events are not counted yet: the figures do not include them.`,
  tiles: {
    title: 'Figures',
    authorised: 'Authorised',
    captured: 'Captured',
    refunded: 'Refunded',
    cancelled: 'Cancelled',
    declined: 'Declined',
    charges: (count: string, isOne: boolean) => `${count} ${isOne ? 'time' : 'times'}`,
    undone: (count: string) => `${count} more undone by the gateway than done`,
    approval: 'Approval rate',
    approvalAbout: 'of the sales that an issuer answered',
    none: 'no sale yet',
  },
  needs: {
    title: 'Needs attention',
    none: 'Nothing needs attention: every outcome is known, no dispute waits for a response, no webhook fails, and no hold ends within a day.',
    all: 'Show all',
    attempts: { sale: 'Payment', capture: 'Capture', cancel: 'Cancellation', refund: 'Refund' },
    of: 'of',
    due: 'due',
    dismiss: 'I have seen to it',
    dismissed: 'It is off the list. The audit log has who dismissed it.',
  },
  trend: {
    title: 'Over time',
    measures: 'What is shown',
    amount: 'Amounts',
    count: 'Counts',
    table: 'The same as a table',
    chart: (what: string, from: string, to: string) =>
      `${what} from ${from} to ${to}. The figures are in the table below.`,
    loading: 'The chart is being loaded …',
    failed: 'The chart could not be loaded. The table has the same figures.',
    day: 'Day',
    hour: 'Hour',
    total: 'all days',
  },
  authentications: {
    title: '3-D Secure',
    about: 'How many card holders were asked by their bank, and what became of that.',
    tiles: 'Figures of 3-D Secure',
    asked: 'Asked',
    passed: 'Authenticated',
    not_passed: 'Not confirmed',
    // Who gave up, and who let the time pass.
    gave_up: 'Not finished',
    ofAsked: (share: string) => `${share} of those who were asked`,
    sums: (money: string) => `${money} in all`,
    table: 'By days',
    tableByHour: 'By hours',
  },
  schemes: { title: 'By card scheme', scheme: 'Scheme', approval: 'Approved' },
  declines: {
    title: 'Why sales were declined',
    reason: 'Reason',
    count: 'Sales',
    share: 'Share',
    amount: 'Amount',
    none: 'No sale was declined in these days.',
  },
  nothing: {
    title: 'Nothing happened in these days',
    words: 'Figures appear here as soon as a shopper pays, or your server sends POST /v1/charges.',
  },
} as const

interface NeedTexts {
  title: (count: string, isOne: boolean) => string
  /** What to do. */
  words: string
}

/** The words for each kind of need. */
export const needTexts: Readonly<Record<NeedsAttention['kind'], NeedTexts>> = {
  outcome_unknown: {
    title: (count, isOne) => `${count} ${isOne ? 'payment has' : 'payments have'} no known outcome`,
    words: 'The gateway is being asked. Do not charge again before it has answered.',
  },
  follow_up_unknown: {
    title: (count, isOne) =>
      isOne
        ? `${count} capture, cancellation or refund has no known outcome`
        : `${count} captures, cancellations or refunds have no known outcome`,
    words: 'The gateway is being asked. Do nothing by hand there before it has answered.',
  },
  webhook_failing: {
    title: (count, isOne) => `${count} ${isOne ? 'webhook fails' : 'webhooks fail'}`,
    words: 'Your server did not accept the latest message. It will be sent again.',
  },
  dispute_needs_response: {
    title: (count, isOne) => `${count} ${isOne ? 'dispute needs' : 'disputes need'} a response`,
    words:
      'A dispute that is not answered in time is lost. Defend it with files that prove your side, or accept it.',
  },
  hold_not_released: {
    title: (count, isOne) => `${count} ended ${isOne ? 'hold is' : 'holds are'} not released`,
    words:
      'The gateway has not accepted the release, which is tried again. If it keeps failing, release the funds at the gateway.',
  },
  hold_ends: {
    title: (count, isOne) => `${count} ${isOne ? 'hold ends' : 'holds end'} within a day`,
    words: 'Capture what you are going to deliver: when a hold ends, the money goes back to the card holder.',
  },
  agreement_suspended: {
    title: (count, isOne) => `${count} ${isOne ? 'agreement is' : 'agreements are'} suspended`,
    words:
      'Nothing is collected while an agreement is suspended. Only the party that suspended it can release it.',
  },
  failed_later: {
    title: (count, isOne) =>
      `${count} ${isOne ? 'movement has' : 'movements have'} failed at the gateway later`,
    words:
      'The gateway did not carry out what it had accepted. Capture or refund again; if a charge has failed, send no goods and ask for another payment.',
  },
  gateway_news: {
    title: (count, isOne) =>
      `${count} ${isOne ? 'notification of a gateway contradicts its charge' : 'notifications of gateways contradict their charges'}`,
    words:
      'Nothing was changed. Look the payment up at the gateway, put it right there or here, and say that you have seen to it.',
  },
  gateway_silent: {
    title: (count, isOne) =>
      `${count} ${isOne ? 'gateway tells' : 'gateways tell'} nothing of ${isOne ? 'its' : 'their'} payments`,
    words:
      'No notification has come since this payment was made. What fails later is not heard: set notifications up, or see why they do not arrive.',
  },
  news_not_understood: {
    title: (count, isOne) =>
      `${count} ${isOne ? 'notification of a gateway' : 'notifications of gateways'} can’t be read`,
    words: 'They are kept, and nothing was changed. Ask whoever runs this service to look at them.',
  },
}
