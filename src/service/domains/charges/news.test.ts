import { describe, expect, it } from 'vitest'
import type { News } from '../gateways/gateway.ts'
import { toldChange } from './attempt-outcome.ts'
import { pendingAuthentication } from './authentication.ts'
import { decideNews } from './news.ts'
import type { Attempt, Charge, ChargeStatus } from './charge.ts'
import { cents, madeAttempt, madeCharge } from './testing/made-charge.ts'

const by = { merchantId: 'm1', gatewayId: 'g1' }

const sale = madeAttempt({ id: 'sale', externalId: 'SALE' })
const capture = madeAttempt({ id: 'capture', type: 'capture', externalId: 'CAPTURE' })
const cancel = madeAttempt({ id: 'cancel', type: 'cancel', externalId: 'CANCEL' })
const refund = madeAttempt({ id: 'refund', type: 'refund', externalId: 'REFUND' })
const part = madeAttempt({ ...refund, amount: cents('4.00') })

const open = { ...sale, outcome: 'open', externalId: null } as const

/** Charges by what was done with them. */
const charges = {
  processing: chargeOf('processing', [open]),
  held: chargeOf('pending', [sale]),
  captured: chargeOf('complete', [sale, capture]),
  taken: { ...chargeOf('complete', [sale]), preAuth: false },
  cancelled: chargeOf('cancelled', [sale, cancel]),
  failed: chargeOf('failed', [{ ...sale, outcome: 'not_received' }]),
  'not authenticated': chargeOf('not_authenticated', [
    { ...sale, outcome: 'declined', declineReason: 'not_authenticated' },
  ]),
  'partly refunded': chargeOf('complete', [sale, capture, part]),
  refunded: chargeOf('refunded', [sale, capture, refund]),
} satisfies Record<string, Charge>
type Kind = keyof typeof charges

function chargeOf(status: ChargeStatus, attempts: Attempt[]): Charge {
  const openAttemptId = attempts.find(({ outcome }) => outcome === 'open')?.id ?? null
  return madeCharge({ status, attempts, openAttemptId })
}

type Movement = 'sale' | 'capture' | 'cancel' | 'refund'

function told(says: News['says'], overrides: Partial<News> = {}): News {
  return {
    key: 'k1',
    name: 'EVENT',
    at: new Date('2026-11-27T10:00:00.000Z'),
    attemptId: null,
    saleId: 'SALE',
    externalId: 'BY HAND',
    amount: cents('10.00'),
    currency: 'AUD',
    says,
    sent: null,
    ...overrides,
  }
}

function movement(type: Movement, isDone: boolean, overrides: Partial<News> = {}): News {
  return told(
    { kind: 'movement', type, isDone, code: 'EVENT', description: 'Words', holdSeconds: 60 },
    overrides,
  )
}

/** What news does to a charge: the outcome of an attempt, or the attempt that it becomes and the status and event after it. */
function effectOf(charge: Charge, news: News): string {
  const decision = decideNews(charge, by, news)
  if (decision.kind === 'outcome') return `${decision.attempt.id} ${decision.answer.kind}`
  if (decision.kind === 'waits') return `waits, then ${decision.otherwise}`
  if (decision.kind !== 'told') return decision.kind
  const { attempt, status, event } = toldChange(charge, decision.attempt)
  return `${attempt.type} → ${status} (${event.type})`
}

const WAITS = 'waits, then unexplained'

describe('what the gateway says later of our own attempts', () => {
  const OWN: Readonly<Record<Movement, string>> = {
    sale: 'SALE',
    capture: 'CAPTURE',
    cancel: 'CANCEL',
    refund: 'REFUND',
  }
  it.each<[Movement, boolean, Kind, string]>([
    ['sale', true, 'processing', 'sale approved'],
    ['sale', false, 'processing', 'sale declined'],
    ['sale', true, 'held', 'nothing'],
    ['sale', true, 'taken', 'nothing'],
    ['sale', true, 'failed', 'unexplained'],
    ['sale', false, 'failed', 'nothing'],
    ['sale', false, 'held', 'unexplained'],
    ['sale', false, 'taken', 'reversal → failed (charge.capture_failed)'],
    ['capture', true, 'captured', 'nothing'],
    ['capture', false, 'captured', 'reversal → pending (charge.capture_failed)'],
    ['capture', false, 'partly refunded', WAITS],
    ['capture', false, 'refunded', WAITS],
    ['capture', false, 'taken', WAITS],
    ['capture', true, 'taken', 'nothing'],
    ['cancel', true, 'cancelled', 'nothing'],
    ['cancel', false, 'cancelled', 'reversal → pending (charge.cancel_failed)'],
    ['refund', true, 'refunded', 'nothing'],
    ['refund', false, 'refunded', 'reversal → complete (charge.refund_failed)'],
    ['refund', false, 'partly refunded', 'reversal → complete (charge.refund_failed)'],
  ])('%s, done: %s, of a charge that is %s: %s', (type, isDone, kind, effect) => {
    expect(effectOf(charges[kind], movement(type, isDone, { externalId: OWN[type] }))).toBe(effect)
  })

  it('of a sale that it was refused, under another id than it was approved, changes nothing', () => {
    const firstTry = movement('sale', false, { externalId: 'REFUSED', attemptId: 'sale', saleId: 'REFUSED' })
    for (const kind of ['held', 'taken', 'captured'] as const)
      expect(effectOf(charges[kind], firstTry)).toBe('nothing')
  })

  it('of a refund that has failed by now, that it was made, changes nothing', () => {
    const failed = madeAttempt({ ...refund, outcome: 'declined' })
    const charge = chargeOf('complete', [sale, capture, failed])
    const named = { externalId: 'REFUND', attemptId: 'refund' }
    expect(effectOf(charge, movement('refund', true, named))).toBe('nothing')
  })

  it('of a sale that was captured by hand for less gives the rest back, once', () => {
    const less = { externalId: 'BY HAND', amount: cents('4.00') }
    const decision = decideNews(charges.taken, by, movement('capture', true, less))
    expect(decision).toMatchObject({ kind: 'told', attempt: { type: 'refund', amount: 600 } })
    const rest = madeAttempt({ ...refund, amount: cents('6.00'), gatewayCode: 'EVENT' })
    const charge = { ...charges.taken, attempts: [sale, rest] }
    const another = movement('capture', true, { ...less, key: 'k2', amount: cents('6.00') })
    expect(effectOf(charge, another)).toBe('unexplained')
  })

  it('of a sale that was captured by hand for less waits while all is refunded: that may turn out to have failed', () => {
    const all = madeAttempt({ ...refund, amount: charges.taken.amount })
    const charge = chargeOf('refunded', [sale, all])
    const less = { externalId: 'BY HAND', amount: cents('4.00') }
    expect(effectOf({ ...charge, preAuth: false }, movement('capture', true, less))).toMatch(/^waits/)
  })

  it('of a capture once the hold is over leaves nothing to capture: the charge has failed', () => {
    const charge = { ...charges.captured, isHoldOver: true }
    expect(effectOf(charge, movement('capture', false, { externalId: 'CAPTURE' }))).toBe(
      'reversal → failed (charge.capture_failed)',
    )
  })

  it('of a cancel once the hold is over changes nothing: the hold is gone by itself', () => {
    const charge = { ...charges.cancelled, isHoldOver: true }
    expect(effectOf(charge, movement('cancel', false, { externalId: 'CANCEL' }))).toBe('nothing')
  })

  it('of a capture that it had accepted before, of a charge that took the money at once: it has failed', () => {
    const { says, ...news } = movement('capture', false)
    const accepted = says.kind === 'movement' ? { ...says, wasAccepted: true } : says
    expect(effectOf(charges.taken, { ...news, says: accepted })).toBe(
      'reversal → failed (charge.capture_failed)',
    )
  })

  it('is found by our own id, where the gateway names it', () => {
    expect(effectOf(charges.captured, movement('capture', false, { attemptId: 'capture' }))).toBe(
      'reversal → pending (charge.capture_failed)',
    )
  })

  it('has the gateway asked about a sale that waits for its card holder, where that tells more', () => {
    const says = movement('sale', true).says
    const asked = told(says.kind === 'movement' ? { ...says, isAskedAbout: true } : says, {
      attemptId: 'sale',
    })
    const authentication = pendingAuthentication('3ds', 'gateway')
    const waiting = chargeOf('pre_authentication_pending', [{ ...open, authentication }])
    expect(effectOf(waiting, asked)).toBe('ask')
    expect(effectOf(waiting, movement('sale', true, { attemptId: 'sale' }))).toBe('sale approved')
    expect(effectOf(charges.processing, asked)).toBe('sale approved')
  })

  it('says why a sale was declined', () => {
    const { says } = movement('sale', false)
    const news = told(says.kind === 'movement' ? { ...says, reason: 'authentication_failed' } : says)
    expect(decideNews(charges.processing, by, news)).toMatchObject({
      answer: { kind: 'declined', reason: 'authentication_failed' },
    })
  })

  it('settles an attempt that has no outcome yet', () => {
    const open = madeAttempt({ id: 'open', type: 'refund', outcome: 'open', externalId: null })
    const charge = chargeOf('complete', [sale, capture, open])
    const news = { attemptId: 'open' }
    expect(effectOf(charge, movement('refund', true, news))).toBe('open approved')
    expect(effectOf(charge, movement('refund', false, news))).toBe('open declined')
  })

  it('changes nothing where it was undone before: the older news came late', () => {
    const reversal = madeAttempt({ id: 'r', type: 'reversal', reverses: 'capture', externalId: 'CAPTURE' })
    const charge = chargeOf('pending', [sale, capture, reversal])
    for (const isDone of [true, false])
      expect(effectOf(charge, movement('capture', isDone, { externalId: 'CAPTURE' }))).toBe('nothing')
  })
})

describe('what was done at the gateway by hand', () => {
  it.each<[Movement, Kind, string]>([
    ['capture', 'processing', WAITS.replace('unexplained', 'waits')],
    ['capture', 'held', 'capture → complete (charge.captured)'],
    ['capture', 'captured', WAITS],
    ['capture', 'cancelled', WAITS],
    ['capture', 'failed', WAITS],
    ['capture', 'refunded', WAITS],
    ['cancel', 'held', 'cancel → cancelled (charge.cancelled)'],
    ['cancel', 'cancelled', 'waits, then done'],
    ['cancel', 'failed', 'nothing'],
    // The gateway cancels what its card holder has left.
    ['cancel', 'not authenticated', 'nothing'],
    ['cancel', 'captured', WAITS],
    ['cancel', 'taken', 'refund → refunded (charge.refunded)'],
    // Our refund of all of it may turn out to have failed, because it was cancelled first.
    ['cancel', 'refunded', 'waits, then done'],
    ['refund', 'held', WAITS],
    ['refund', 'captured', 'refund → refunded (charge.refunded)'],
    ['refund', 'taken', 'refund → refunded (charge.refunded)'],
    ['refund', 'partly refunded', WAITS],
    ['refund', 'refunded', WAITS],
  ])('%s of a charge that is %s: %s', (type, kind, effect) => {
    // The reference of what is done by hand is that of the payment.
    expect(effectOf(charges[kind], movement(type, true, { attemptId: 'sale' }))).toBe(effect)
  })

  it('in part counts for that part', () => {
    const amount = cents('4.00')
    expect(effectOf(charges.held, movement('capture', true, { amount }))).toBe(
      'capture → complete (charge.captured)',
    )
    expect(effectOf(charges.captured, movement('refund', true, { amount }))).toBe(
      'refund → complete (charge.refunded)',
    )
  })

  it('of more than there is has no move', () => {
    const amount = cents('10.01')
    expect(effectOf(charges.held, movement('capture', true, { amount }))).toBe(WAITS)
    expect(effectOf(charges.captured, movement('refund', true, { amount }))).toBe(WAITS)
  })

  it('in another currency is unexplained', () => {
    expect(effectOf(charges.held, movement('capture', true, { currency: 'EUR' }))).toBe('unexplained')
  })

  it('and failed is nothing, unless it may be what we count as done', () => {
    expect(effectOf(charges.held, movement('capture', false))).toBe('waits, then done')
    expect(effectOf(charges.captured, movement('capture', false))).toBe(WAITS)
  })

  it('after the service had the same refused is told all the same', () => {
    const refused = madeAttempt({ id: 'refused', type: 'capture', outcome: 'unreachable', externalId: null })
    const charge = chargeOf('pending', [sale, refused])
    expect(effectOf(charge, movement('capture', true, { attemptId: 'refused' }))).toBe(
      'capture → complete (charge.captured)',
    )
  })
})

describe('what else a gateway says', () => {
  it.each<['hold_ended' | 'authorisation_changed' | 'nothing', Kind, string]>([
    ['hold_ended', 'held', 'cancel → cancelled (charge.expired)'],
    ['hold_ended', 'processing', 'waits, then waits'],
    ['hold_ended', 'captured', 'waits, then done'],
    ['hold_ended', 'cancelled', 'waits, then done'],
    ['hold_ended', 'refunded', 'waits, then done'],
    ['hold_ended', 'failed', 'nothing'],
    ['hold_ended', 'not authenticated', 'nothing'],
    ['authorisation_changed', 'held', 'nothing'],
    ['nothing', 'captured', 'nothing'],
  ])('%s of a charge that is %s: %s', (kind, charge, effect) => {
    expect(effectOf(charges[charge], told({ kind }))).toBe(effect)
  })

  it('of an authorisation for another amount is unexplained', () => {
    expect(effectOf(charges.held, told({ kind: 'authorisation_changed' }, { amount: cents('5.00') }))).toBe(
      'unexplained',
    )
  })

  it('becomes the same attempt however often it comes, and another one for another account', () => {
    const idOf = (gatewayId: string, key: string) => {
      const decision = decideNews(charges.held, { ...by, gatewayId }, movement('cancel', true, { key }))
      return decision.kind === 'told' ? decision.attempt.id : decision.kind
    }
    expect(idOf('g1', 'k1')).toBe(idOf('g1', 'k1'))
    expect(new Set([idOf('g1', 'k1'), idOf('g1', 'k2'), idOf('g2', 'k1')]).size).toBe(3)
  })
})
