import type { ModelTerms, AgreementType, Schedule } from './model-terms.ts'
import { opensOn, periodOf } from './model-terms.ts'
import type { Status, Verdict } from './model-bank.ts'
import type { Day } from './sydney-calendar.ts'

export type PaymentStatus = 'received' | 'processing' | 'settled' | 'failed' | 'under_investigation'

/** A payment of the model. */
export interface ModelPayment {
  cents: number
  isLast: boolean
  /** The day for which the service made it; null when the merchant sent it. */
  dueOn: Day | null
  countsOn: Day
  reference: string
  version: number
  /** How often the agreement had changed when it was accepted. */
  changes: number
  createdAt: number
  /** Every state that it was in, oldest first. */
  states: PaymentStatus[]
  /** When it is looked at next while it is `received`; later than now where it had to wait for a release. */
  lookAt: number
  /** When the payment was last sent to the network, or asked about. */
  askedAt: number | null
  /** What the network's books say; null until it was sent. */
  verdict: Verdict | null
  endedAt: number | null
}

export const stateOf = ({ states }: ModelPayment): PaymentStatus => states.at(-1) ?? 'received'
const isFailed = (payment: ModelPayment): boolean => stateOf(payment) === 'failed'

/** The part of an agreement that decides whether a payment is allowed. */
export interface Payable extends Schedule {
  type: AgreementType
  status: Status
  max: number | null
  payments: readonly ModelPayment[]
}

interface Asked {
  cents: number
  day: Day
  /** The merchant says that it is the last. */
  isLast: boolean
}

/** Whether a payment is the last, also where nobody says so. */
export function isLastOn({ type, terms }: Pick<Payable, 'type' | 'terms'>, day: Day): boolean {
  return type === 'oneoff' || (terms.last !== null && day >= terms.last.date)
}

const counted = ({ payments }: Pick<Payable, 'payments'>) => payments.filter((payment) => !isFailed(payment))

/** How many payments of an agreement have not failed. */
export const countOf = (agreement: Pick<Payable, 'payments'>): number => counted(agreement).length

/** The one amount that a payment can have; null where any up to the maximum will do. */
export function amountOf(agreement: Payable, isLast: boolean): number | null {
  const { terms } = agreement
  if (isLast && terms.last !== null) return terms.last.cents
  if (terms.first !== null && counted(agreement).length === 0) return terms.first.cents
  return terms.isFixed ? terms.cents : null
}

/** The code with which a payment is refused; null when it is taken (contract §6.5). */
export function refusalOf(
  agreement: Payable,
  asked: Asked,
): 'unfulfilled_condition' | 'outside_terms' | null {
  if (agreement.status !== 'active') return 'unfulfilled_condition'
  const isRefused =
    isOnWrongDay(agreement, asked.day) ||
    isAfterLast(agreement) ||
    isTooOften(agreement, asked.day) ||
    isWrongAmount(agreement, asked)
  return isRefused ? 'outside_terms' : null
}

function isOnWrongDay({ start, end, terms }: Payable, day: Day): boolean {
  return day < Math.max(start, terms.first?.date ?? start) || (end !== null && day > end)
}

function isAfterLast(agreement: Payable): boolean {
  const made = counted(agreement)
  return made.some(({ isLast }) => isLast) || (agreement.max !== null && made.length >= agreement.max)
}

function isTooOften(agreement: Payable, day: Day): boolean {
  const period = periodOf(agreement, day)
  if (period === null) return false
  const { count, point } = agreement.terms
  const inPeriod = counted(agreement).filter(
    ({ countsOn }) => countsOn >= period.from && countsOn <= period.to,
  )
  return inPeriod.length >= (count ?? 1) || (point !== null && day < opensOn(agreement, day))
}

function isWrongAmount(agreement: Payable, { cents, isLast, day }: Asked): boolean {
  const due = amountOf(agreement, isLast || isLastOn(agreement, day))
  return due === null ? cents > agreement.terms.cents : cents !== due
}

/** The most that one payment may be by terms, in cents. */
export function maxCents({ cents, first, last }: ModelTerms): number {
  return Math.max(cents, first?.cents ?? 0, last?.cents ?? 0)
}
