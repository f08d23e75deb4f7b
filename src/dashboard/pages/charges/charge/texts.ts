import { inSentence } from '../../../formats/in-sentence.ts'
import type { ChargeTimeline } from '../../../../contract/dashboard/payments/charge-timeline.ts'

export type Attempt = ChargeTimeline['attempts'][number]

export const chargeDetailTexts = {
  back: 'Charges',
  title: 'Charge',
  timeLine: 'Timeline',
  timeLineWords: 'Every attempt to move money, and what the card holder’s bank asked, the newest first.',
  details: 'Details',
  customer: 'Customer',
  metadata: 'Metadata',
  hold: (when: string) => `The funds are held. They go back to the card by themselves ${when}.`,
  open: 'The outcome of the newest attempt is unknown. The service is asking the gateway; nothing else can be done until it answers.',
  facts: {
    amount: 'Amount',
    captured: 'Captured',
    refunded: 'Refunded',
    chargedBack: 'Charged back',
    left: 'Can be refunded',
    reference: 'Reference',
    description: 'Description',
    statement: 'On the statement',
    created: 'Created',
    holdEnds: 'Hold ends',
    card: 'Card',
    holder: 'Name on card',
    expiry: 'Expires',
    gateway: 'Gateway',
    id: 'Charge id',
    gatewayId: 'Gateway’s id',
    address: 'From address',
    name: 'Name',
    email: 'E-mail',
    phone: 'Phone',
    billing: 'Address',
  },
  idLabel: 'charge id',
} as const

type Authentication = NonNullable<Attempt['authentication']>

/** EMV’s transaction status. */
export const transStatusTexts: Readonly<Record<string, string>> = {
  Y: 'authenticated',
  A: 'attempted, and the bank stands in',
  N: 'not authenticated',
  R: 'rejected by the bank',
  U: 'could not be done',
  C: 'has to ask the card holder',
  I: 'for information alone',
}

export const authenticationTexts = {
  title: '3-D Secure',
  waits: (by: string) =>
    `The card holder’s bank is asking them. Nothing is taken before it has an answer, which they have time for until ${by}.`,
  states: {
    pending: 'At the bank',
    authenticated: 'Authenticated',
    attempted: 'The bank stands in',
    failed: 'Not confirmed',
    cancelled: 'Given up',
    timed_out: 'Timed out',
    unavailable: 'Not available',
  } satisfies Record<Authentication['status'], string>,
  /** What became of it, on the timeline. */
  ended: {
    pending: 'The bank has no answer yet',
    authenticated: 'The bank has authenticated the card holder',
    attempted: 'The bank stands in for the card holder',
    failed: 'The bank could not confirm that it is the card holder',
    cancelled: 'The card holder gave up',
    timed_out: 'Nobody finished in time',
    unavailable: 'The bank did not say whether it is the card holder',
  } satisfies Record<Authentication['status'], string>,
  asks: 'The bank asks the card holder',
  asked: 'The bank asked the card holder',
  askedBy: {
    merchant: 'Wanted by your request, template or account',
    gateway: 'Wanted by the gateway or the bank',
    bank: 'Wanted by the bank, which had declined without it',
  } satisfies Record<Authentication['asked_by'], string>,
  flows: {
    frictionless: 'Without a question',
    challenge: 'With a question to the card holder',
  } satisfies Record<NonNullable<Authentication['flow']>, string>,
  liability: { bank: 'The bank bears a fraud', merchant: 'You bear a fraud' },
  facts: {
    status: 'State',
    until: 'Time until',
    flow: 'How',
    why: 'Why',
    liability: 'Liability',
    transStatus: 'Transaction status',
    reason: 'Reason',
    version: 'Version',
    eci: 'ECI',
    directory: 'Directory’s id',
    id: 'Authentication id',
  },
  idLabel: 'authentication id',
} as const

export const chargeDisputeTexts = {
  title: 'Disputes',
  show: 'Show dispute',
  notices: {
    open: (amount: string) => `The card holder disputes ${amount} of this charge.`,
    elsewhere: (amount: string) => `The card holder disputes ${amount} of this charge.`,
    over: (amount: string) => `A dispute about ${amount} was not answered in time.`,
    sending: (amount: string) => `Your answer to a dispute about ${amount} is on its way.`,
    under_review: (amount: string) => `A dispute about ${amount} is under review.`,
    lost: (amount: string) => `A dispute about ${amount} was lost. Do not refund it as well.`,
    accepted: (amount: string) => `A dispute about ${amount} was accepted. Do not refund it as well.`,
  },
  due: (when: string) => `It is to be answered ${when}.`,
  twice: 'Do not refund it meanwhile: the card holder would get the money twice.',
  inquiry: 'So far the bank only asks, and no money has moved: a refund can still settle it.',
  unread: (words: string) => `It can’t be seen whether this charge is disputed. ${words}`,
} as const

/** What an attempt is called, and what it has done once it was approved. `hold`: a sale that only holds the funds. */
export const attemptTexts: Readonly<Record<Attempt['type'] | 'hold', { name: string; done: string }>> = {
  hold: { name: 'Hold', done: 'Held' },
  sale: { name: 'Charge', done: 'Captured' },
  capture: { name: 'Capture', done: 'Captured' },
  cancel: { name: 'Cancellation', done: 'Released' },
  refund: { name: 'Refund', done: 'Refunded' },
  reversal: { name: 'Reversal', done: 'Undone' },
}

/** What the gateway said later that it did not carry out, by the type of the attempt. */
export const reversedTexts: Readonly<Record<NonNullable<Attempt['reverses']>, string>> = {
  sale: 'The gateway did not take',
  capture: 'The gateway did not take',
  cancel: 'The gateway did not release',
  refund: 'The gateway did not give back',
}

export const outcomeTexts: Readonly<Record<Exclude<Attempt['outcome'], 'approved'>, string>> = {
  open: 'has no answer yet',
  declined: 'was declined',
  unreachable: 'could not be sent: the gateway was not reached',
  not_received: 'never reached the gateway',
}

/** What became of a sale that its card holder has to authenticate first. */
export const waitingTexts = {
  open: 'waits for the card holder',
  left: 'was not made',
}

export const entryTexts = {
  more: 'Gateway and request',
  gateway: 'Gateway’s answer',
  externalId: 'Gateway’s id',
  externalReference: 'Gateway’s reference',
  reference: 'Reference',
  attempt: 'Transaction id',
  code: 'Error code',
  address: 'From address',
  actors: {
    you: 'By you',
    person: (name: string) => `By ${inSentence(name)}, on the dashboard`,
    merchant: 'By your server',
    service: 'By the service itself',
    gateway: 'Told by the gateway',
  },
  webhooks: 'Webhooks',
  webhook: { waiting: 'Waiting', delivered: 'Delivered', failed: 'Failed' },
  tries: (count: number) => (count === 1 ? '1 attempt' : `${String(count)} attempts`),
} as const

export const chargeActTexts = {
  keep: 'Back',
  edit: {
    button: 'Edit details',
    title: 'Edit details',
    words: 'Your own words on this charge. No money moves, and your webhooks are told (charge.updated).',
    reference: 'Reference',
    description: 'Description',
    metadata: 'Metadata',
    metadataHint: 'One on a line, such as “order_id: A1”. A line that you delete is taken away.',
    metadataFault: 'Write a name, a colon and a text on each line, and each name once.',
    noLines: 'Some of its metadata can’t be written in lines. Change it by PATCH /v1/charges.',
    nothing: 'Nothing has changed.',
    submit: 'Save',
    done: 'Details saved.',
  },
  amountFault: 'Write an amount such as 7.50.',
  maxFault: (max: string) => `This may be ${max} at most.`,
  capture: {
    button: 'Capture',
    title: 'Capture held funds',
    amount: 'Amount to capture',
    hint: (max: string) => `Up to ${max}, which is what is held.`,
    whole: (amount: string, card: string) => `This takes ${amount} from ${card}, all that is held.`,
    part: (amount: string, card: string, rest: string) =>
      `This takes ${amount} from ${card}. The other ${rest} go back to the card and can’t be captured later.`,
    submit: (amount: string) => `Capture ${amount}`,
    done: (amount: string) => `${amount} captured.`,
  },
  cancel: {
    button: 'Cancel hold',
    title: 'Cancel this hold?',
    words: (amount: string, card: string) =>
      `The held ${amount} go back to ${card}. This can’t be undone: to take the money later, the shopper has to pay again.`,
    submit: 'Cancel hold',
    done: (amount: string) => `The hold of ${amount} was cancelled.`,
  },
  refund: {
    button: 'Refund',
    title: 'Refund',
    amount: 'Amount to refund',
    hint: (max: string) => `Up to ${max}, which is what is left of what was captured.`,
    reference: 'Reference',
    referenceHint: 'Yours, such as the number of a return.',
    whole: (amount: string, card: string) => `This gives ${amount} back to ${card}. It can’t be undone.`,
    part: (amount: string, card: string, rest: string) =>
      `This gives ${amount} back to ${card}. Another ${rest} can be refunded later. It can’t be undone.`,
    disputed: (amount: string) =>
      `${amount} of this charge is disputed. If you refund what the bank takes back as well, the card holder gets it twice.`,
    submit: (amount: string) => `Refund ${amount}`,
    done: (amount: string) => `${amount} refunded.`,
  },
} as const
