import { describe, expect, it } from 'vitest'
import { chargeMoves, isExpired, refundableOf, refundedOf, saleOf, statusAfter } from './charge.ts'
import type { AttemptType, ChargeStatus } from './charge.ts'
import { cents, madeAttempt, madeCharge } from './testing/made-charge.ts'

describe('where a charge can go', () => {
  const states = Object.keys(chargeMoves)
  const ends = Object.entries(chargeMoves).map(([state, moves]) => [state, Object.values(moves)] as const)

  it('leads to known states only', () => {
    for (const [, targets] of ends) for (const target of targets) expect(states).toContain(target)
  })

  it('reaches every state that a movement of today can bring about', () => {
    const reached = new Set(['processing'])
    for (const [state, targets] of ends)
      if (reached.has(state)) for (const target of targets) reached.add(target)
    expect([...reached].sort()).toEqual([
      'cancelled',
      'complete',
      'failed',
      'pending',
      'processing',
      'refunded',
    ])
  })
})

const OUTCOMES = ['approved', 'declined', 'unreachable', 'not_received'] as const

type Ends = readonly [string, string, string, string]
const FAULT = ['fault', 'fault', 'fault', 'fault'] as const
const onlyApproved = (end: string, status: string): Ends => [end, status, status, status]

/**
 * The state after an attempt of each type with each outcome, in the order of `OUTCOMES`; `fault` where the table has no
 * such move (contract §4). A capture, cancel or refund that did not come about changes nothing.
 */
const AFTER: Readonly<Record<ChargeStatus, Readonly<Record<AttemptType, Ends>>>> = {
  processing: {
    sale: ['pending', 'failed', 'failed', 'failed'],
    capture: onlyApproved('fault', 'processing'),
    cancel: onlyApproved('fault', 'processing'),
    refund: onlyApproved('fault', 'processing'),
  },
  pending: {
    sale: FAULT,
    capture: onlyApproved('complete', 'pending'),
    cancel: onlyApproved('cancelled', 'pending'),
    refund: onlyApproved('fault', 'pending'),
  },
  complete: {
    sale: FAULT,
    capture: onlyApproved('fault', 'complete'),
    cancel: onlyApproved('fault', 'complete'),
    refund: onlyApproved('refunded', 'complete'),
  },
  cancelled: {
    sale: FAULT,
    capture: onlyApproved('fault', 'cancelled'),
    cancel: onlyApproved('fault', 'cancelled'),
    refund: onlyApproved('fault', 'cancelled'),
  },
  failed: {
    sale: FAULT,
    capture: onlyApproved('fault', 'failed'),
    cancel: onlyApproved('fault', 'failed'),
    refund: onlyApproved('fault', 'failed'),
  },
  refunded: {
    sale: FAULT,
    capture: onlyApproved('fault', 'refunded'),
    cancel: onlyApproved('fault', 'refunded'),
    refund: onlyApproved('fault', 'refunded'),
  },
}
const TYPES = ['sale', 'capture', 'cancel', 'refund'] as const
const STATES = ['processing', 'pending', 'complete', 'cancelled', 'failed', 'refunded'] as const

const everyMove = STATES.flatMap((status) =>
  TYPES.flatMap((type) =>
    OUTCOMES.map((outcome, at) => ({ status, type, outcome, end: AFTER[status][type][at] ?? '' })),
  ),
)

describe('the state after an attempt', () => {
  it.each(everyMove)('$status, $type $outcome: $end', ({ status, type, outcome, end }) => {
    const after = () => statusAfter(madeCharge({ status }), madeAttempt({ type, outcome }), outcome)
    if (end === 'fault') expect(after).toThrow(`a charge that is ${status} can't be `)
    else expect(after()).toBe(end)
  })

  it('of a sale without a hold is complete', () => {
    const charge = madeCharge({ status: 'processing', preAuth: false })
    expect(statusAfter(charge, madeAttempt(), 'approved')).toBe('complete')
  })

  it.each([
    ['authorisation_expired', 'authorisation_expired', 'declined', 'cancelled'],
    ['authorisation_expired', 'invalid_transaction', 'declined', 'cancelled'],
    ['authorisation_expired', 'do_not_honour', 'declined', 'pending'],
    ['authorisation_expired', null, 'declined', 'pending'],
    ['authorisation_expired', 'authorisation_expired', 'unreachable', 'pending'],
    [null, 'authorisation_expired', 'declined', 'pending'],
    [null, 'invalid_transaction', 'declined', 'pending'],
  ] as const)(
    'of a cancel because of %s that was refused as %s (%s) is %s',
    (reason, declineReason, outcome, end) => {
      const attempt = madeAttempt({ type: 'cancel', reason, declineReason, outcome })
      expect(statusAfter(madeCharge(), attempt, outcome)).toBe(end)
    },
  )
})

const refund = (amount: string, outcome: 'approved' | 'declined' = 'approved') =>
  madeAttempt({ id: `r${amount}`, type: 'refund', amount: cents(amount), outcome })
const capture = (amount: string, outcome: 'approved' | 'declined' = 'approved') =>
  madeAttempt({ id: `c${amount}`, type: 'capture', amount: cents(amount), outcome })

describe('what can be given back', () => {
  it.each([
    ['a hold', true, [], 0, 0],
    ['a hold that was captured', true, [capture('10.00')], 1000, 0],
    ['a hold that was captured in part', true, [capture('7.00')], 700, 0],
    ['a hold whose capture failed', true, [capture('7.00', 'declined')], 0, 0],
    ['a hold captured at the second try', true, [capture('7.00', 'declined'), capture('6.00')], 600, 0],
    ['a direct sale', false, [], 1000, 0],
    ['a direct sale of which some went back', false, [refund('2.50'), refund('1.50')], 600, 400],
    ['a direct sale whose refund failed', false, [refund('2.50', 'declined')], 1000, 0],
    ['a capture of which all went back', true, [capture('7.00'), refund('7.00')], 0, 700],
  ] as const)('of %s', (_name, preAuth, later, refundable, refunded) => {
    const charge = madeCharge({ preAuth, attempts: [madeAttempt(), ...later] })
    expect([refundableOf(charge), refundedOf(charge)]).toEqual([refundable, refunded])
  })

  it('is nothing where the sale failed', () => {
    const attempts = [madeAttempt({ outcome: 'declined' })]
    expect(refundableOf(madeCharge({ preAuth: false, attempts }))).toBe(0)
  })

  it.each([
    ['2.50', 'complete'],
    ['9.99', 'complete'],
    ['10.00', 'refunded'],
  ])('leaves a charge of 10.00 after %s %s', (amount, end) => {
    const charge = madeCharge({ status: 'complete', preAuth: false })
    expect(statusAfter(charge, refund(amount), 'approved')).toBe(end)
  })
})

describe('the sale', () => {
  it('is the attempt that the others follow', () => {
    const sale = madeAttempt({ id: 'the sale' })
    expect(saleOf(madeCharge({ attempts: [capture('1.00'), sale] }))).toBe(sale)
  })

  it('is in every charge', () => {
    expect(() => saleOf(madeCharge({ attempts: [] }))).toThrow('charge c1 has no sale')
  })
})

describe('a hold', () => {
  const release = madeAttempt({ type: 'cancel', reason: 'authorisation_expired' })
  it.each([
    ['was released because its time was over', 'cancelled', [release], true],
    ['was cancelled by the merchant', 'cancelled', [madeAttempt({ type: 'cancel' })], false],
    ['is still being released', 'pending', [release], false],
    [
      'has another attempt of that reason',
      'cancelled',
      [madeAttempt({ type: 'capture', reason: 'authorisation_expired' })],
      false,
    ],
  ] as const)('%s', (_name, status, later, isOver) => {
    expect(isExpired(madeCharge({ status, attempts: [madeAttempt(), ...later] }))).toBe(isOver)
  })
})
