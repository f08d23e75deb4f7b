import fc from 'fast-check'
import { changeBy, chargeEvent, authenticationRequiredEvent } from '../attempt-outcome.ts'
import type { FinalAnswer } from '../attempt-outcome.ts'
import { pendingAuthentication } from '../authentication.ts'
import type { AttemptAuthentication } from '../authentication.ts'
import { SPANS_MINUTES, WHOLE_SPANS_MINUTES } from '../tallies.ts'
import type { TallyKind } from '../tallies.ts'
import type { Attempt } from '../charge.ts'
import { cents, madeAttempt, madeCharge } from './made-charge.ts'

const OF_AUTHENTICATION = ['asked', 'passed', 'not_passed', 'gave_up'] as const
const isOfAuthentication = (kind: string): kind is (typeof OF_AUTHENTICATION)[number] =>
  OF_AUTHENTICATION.some((one) => one === kind)

/** One attempt that has its outcome, as random lives of charges hold them. */
export interface Happening {
  charge: number
  kind: TallyKind | 'undone' | 'other'
  reason: 'insufficient_funds' | 'suspected_fraud'
  isSale: boolean
  cents: number
  minute: number
}
export const happening: fc.Arbitrary<Happening> = fc.record({
  charge: fc.nat(40),
  kind: fc.constantFrom(
    ...(['authorised', 'captured', 'refunded', 'cancelled', 'declined', 'undone', 'other'] as const),
    ...OF_AUTHENTICATION,
  ),
  reason: fc.constantFrom('insufficient_funds', 'suspected_fraud'),
  isSale: fc.boolean(),
  cents: fc.integer({ min: 1, max: 999_999_999 }),
  minute: fc.nat(500),
})
export const merchantOf = (charge: number) => `m${String(charge % 3)}`
export const schemeOf = (charge: number) => (charge % 2 === 0 ? 'visa' : 'amex')

/** The event as the service writes it. */
export function eventOf({ kind, isSale, reason, cents: amount }: Happening) {
  const attempt = madeAttempt({ amount: cents((amount / 100).toFixed(2)) })
  const charge = madeCharge()
  if (isOfAuthentication(kind)) return authenticationEvent(attempt, kind, isSale)
  switch (kind) {
    case 'authorised':
      return chargeEvent(charge, attempt, 'pending')
    case 'captured':
      return chargeEvent(charge, { ...attempt, type: isSale ? 'sale' : 'capture' }, 'complete')
    case 'refunded':
      return chargeEvent(charge, { ...attempt, type: 'refund' }, 'refunded')
    case 'cancelled':
      return chargeEvent(
        charge,
        { ...attempt, type: 'cancel', reason: isSale ? 'authorisation_expired' : null },
        'cancelled',
      )
    case 'declined':
      return chargeEvent(charge, { ...attempt, outcome: 'declined', declineReason: reason }, 'failed')
    case 'undone':
      return undoneEvent(attempt, isSale ? 'sale' : 'capture')
    case 'other':
      return otherEvent(attempt, isSale)
  }
}

function authenticationEvent(attempt: Attempt, kind: (typeof OF_AUTHENTICATION)[number], wasAsked: boolean) {
  if (kind === 'asked') return authenticationRequiredEvent(madeCharge(), attempt, 'bank')
  if (kind === 'passed') return passedSale(attempt, wasAsked)
  return kind === 'not_passed'
    ? chargeEvent(madeCharge(), endedSale(attempt, wasAsked, 'authentication_failed'), 'failed')
    : chargeEvent(madeCharge(), endedSale(attempt, wasAsked, 'not_authenticated'), 'not_authenticated')
}

/** What is known of an authentication; `wasAsked`: by a question to the card holder. */
const askedOf = (wasAsked: boolean): AttemptAuthentication => ({
  ...pendingAuthentication('asked', 'bank'),
  askedAt: wasAsked ? '2026-03-01T00:00:00Z' : null,
})

/** A sale that failed by its authentication. */
function endedSale(
  attempt: Attempt,
  wasAsked: boolean,
  declineReason: 'authentication_failed' | 'not_authenticated',
): Attempt {
  return { ...attempt, outcome: 'declined', declineReason, authentication: askedOf(wasAsked) }
}

/** The event that a bank has authenticated the card holder of a sale. */
function passedSale(attempt: Attempt, wasAsked: boolean) {
  const open = { ...attempt, outcome: 'open' as const, authentication: wasAsked ? askedOf(true) : null }
  const answer: FinalAnswer = {
    ...{ kind: 'approved', holdSeconds: 1, code: '00', description: 'Approved', externalId: 'e' },
    externalReference: null,
    authentication: {
      ...{ version: '2.2.0', flow: 'challenge', transStatus: 'Y', transStatusReason: null, eci: '05' },
      ...{ dsTransId: null, isLiabilityShifted: true },
    },
  }
  const { passed } = changeBy(madeCharge({ status: 'processing' }), open, answer, {
    enteredBy: null,
    createId: () => 'made',
  })
  if (passed === null) throw new Error('nobody has passed')
  return passed
}

/** Of an attempt that moved nothing. */
function otherEvent(attempt: Attempt, isSale: boolean) {
  return isSale
    ? chargeEvent(madeCharge(), { ...attempt, outcome: 'unreachable' }, 'failed')
    : chargeEvent(madeCharge(), { ...attempt, type: 'refund', outcome: 'declined' }, 'complete')
}

function undoneEvent(attempt: Attempt, type: 'sale' | 'capture') {
  const charge = madeCharge({ attempts: [{ ...attempt, id: 'undone', type }] })
  const reversal = madeAttempt({ ...attempt, type: 'reversal', reverses: 'undone' })
  return chargeEvent(charge, reversal, type === 'sale' ? 'failed' : 'pending')
}

/** What each counts as, told without the statement that is tested. */
function kindsOf({ kind, isSale }: Happening): TallyKind[] {
  if (kind === 'other') return []
  if (kind === 'not_passed') return isSale ? ['declined', 'not_passed'] : ['declined']
  if (kind === 'passed' || kind === 'gave_up') return isSale ? [kind] : []
  if (kind === 'undone') return ['captured']
  return kind === 'captured' && isSale ? ['authorised', 'captured'] : [kind]
}

/** What is undone is subtracted. */
const signOf = ({ kind }: Happening) => (kind === 'undone' ? -1 : 1)

/** Rows of the two tables, by a plain count. */
export function plainCount(happenings: readonly Happening[]) {
  const tallies = new Map<string, number>()
  const declines = new Map<string, number>()
  const add = (map: Map<string, number>, key: string, by: number) => map.set(key, (map.get(key) ?? 0) + by)
  const placeOf = ({ charge, minute }: Happening, span: number) => [
    merchantOf(charge),
    span,
    Math.floor(minute / span) * span,
  ]
  for (const one of happenings) {
    const rows = [
      ...WHOLE_SPANS_MINUTES.map((span) => [...placeOf(one, span), 'all']),
      ...SPANS_MINUTES.map((span) => [...placeOf(one, span), schemeOf(one.charge)]),
    ]
    for (const [row, kind] of rows.flatMap((row) => kindsOf(one).map((kind) => [row, kind]))) {
      add(tallies, `${[row, kind].join()} count`, signOf(one))
      add(tallies, `${[row, kind].join()} cents`, signOf(one) * one.cents)
    }
    if (!kindsOf(one).includes('declined')) continue
    const reason = one.kind === 'not_passed' ? 'authentication_failed' : one.reason
    for (const span of SPANS_MINUTES) {
      const key = [...placeOf(one, span), reason].join()
      add(declines, `${key},count`, 1)
      add(declines, `${key},cents`, one.cents)
    }
  }
  const sums = [...tallies].filter(([, sum]) => sum !== 0)
  return { tallies: Object.fromEntries(sums), declines: Object.fromEntries(declines) }
}

/** What one merchant's periods between neighbours of `bounds` (minutes) have counted, by a plain count: those in which something has happened. */
export function plainPeriods(
  happenings: readonly Happening[],
  merchantId: string,
  bounds: readonly number[],
) {
  const counted = new Map<number, Record<TallyKind, { count: number; cents: number }>>()
  for (const one of happenings.filter(({ charge }) => merchantOf(charge) === merchantId)) {
    const period = bounds.findIndex((from, at) => from <= one.minute && one.minute < (bounds[at + 1] ?? from))
    for (const kind of period < 0 ? [] : kindsOf(one)) {
      const sums = counted.get(period) ?? noTallies()
      const { count, cents: before } = sums[kind]
      sums[kind] = { count: count + signOf(one), cents: before + signOf(one) * one.cents }
      counted.set(period, sums)
    }
  }
  const hasAny = (sums: ReturnType<typeof noTallies>) => Object.values(sums).some(({ count }) => count !== 0)
  return [...counted]
    .filter(([, sums]) => hasAny(sums))
    .map(([period, sums]) => ({ period, tallies: { currency: 'AUD', ...sums } }))
}

const noTallies = () => {
  const none = { count: 0, cents: 0 }
  return {
    ...{ authorised: none, captured: none, refunded: none, cancelled: none, declined: none },
    ...{ asked: none, passed: none, not_passed: none, gave_up: none },
  }
}
