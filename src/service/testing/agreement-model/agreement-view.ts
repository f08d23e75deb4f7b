import type { ModelAgreement } from './model-agreement.ts'
import { stateOf } from './model-payment.ts'
import type { ModelPayment } from './model-payment.ts'
import { toText } from './sydney-calendar.ts'

/** The part of an agreement, its payments and the network's books that is compared. */
export interface AgreementView {
  status: string
  version: number
  suspendedBy: string | null
  /** Until when the debtor can answer to the pending amendment. */
  pendingUntil: string | null
  start: string
  end: string | null
  maxPayments: number | null
  nextCollection: string | null
  /** One text for each entry, oldest first. */
  history: string[]
  /** One text for each, with its events and what the network's books say; sorted. */
  payments: string[]
  /** Types of the events about the agreement, sorted. */
  events: string[]
}

interface PaymentFacts {
  cents: number
  version: number
  reference: string
  isLast: boolean
  dueOn: string | null
  status: string
  failure: string | null
  createdAt: string
  settledAt: string | null
  events: readonly string[]
  /** What the network knows of the payment: amount, verdict, how often it was ordered; null where it knows nothing. */
  books: string | null
}

export const paymentText = (payment: PaymentFacts): string =>
  [
    payment.createdAt,
    payment.reference,
    payment.dueOn === null ? 'sent' : `due ${payment.dueOn}`,
    `${String(payment.cents)} cents`,
    `version ${String(payment.version)}`,
    payment.isLast ? 'last' : 'not last',
    payment.status,
    payment.failure ?? 'no failure',
    payment.settledAt ?? 'not settled',
    [...payment.events].sort().join(' '),
    payment.books ?? 'not in the books',
  ].join(', ')

export const historyText = (type: string, status: string, version: number, by: string, at: string): string =>
  `${type} by ${by} at ${at}: ${status}, version ${String(version)}`

export const booksText = (cents: number, verdict: string, timesAsked: number): string =>
  `${String(cents)} cents ${verdict}, ordered ${String(timesAsked)} times`

const timeText = (time: number): string => new Date(time).toISOString()

/** The model's side of the comparison. */
export function viewOf(agreement: ModelAgreement): AgreementView {
  const { status, end, pending, history, nextDue } = agreement
  return {
    status,
    version: agreement.version,
    suspendedBy: agreement.suspendedBy,
    pendingUntil: pending === null ? null : timeText(pending.requiredBy),
    start: toText(agreement.start),
    end: end === null ? null : toText(end),
    maxPayments: agreement.max,
    nextCollection: status !== 'active' || nextDue === null ? null : toText(nextDue),
    history: history.map((one) => historyText(one.type, one.status, one.version, one.by, timeText(one.at))),
    payments: agreement.payments.map(paymentTextOf).sort(),
    events: history.map(({ type }) => `agreement.${type}`).sort(),
  }
}

function paymentTextOf(payment: ModelPayment): string {
  const { cents, version, reference, isLast, dueOn, createdAt, endedAt, states, verdict } = payment
  const status = stateOf(payment)
  return paymentText({
    cents,
    version,
    reference,
    isLast,
    dueOn: dueOn === null ? null : toText(dueOn),
    status,
    failure: status === 'failed' ? verdict : null,
    createdAt: timeText(createdAt),
    settledAt: status === 'settled' && endedAt !== null ? timeText(endedAt) : null,
    events: states.map((state) => `payment.${state}`),
    books: verdict === null ? null : booksText(cents, verdict, 1),
  })
}
