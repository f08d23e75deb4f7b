import { describe, expect, it } from 'vitest'
import { chargeAfter, chargeAt, outcomeAfter } from './attempt-outcome.ts'
import { CHARGE_STATUSES } from '../../../contract/api/charges/charge-resource.ts'
import type { ChargeStatus, MovementType } from './charge.ts'
import { cents, madeAttempt, madeCharge } from './testing/made-charge.ts'
import { ServiceError } from '../../platform/errors.ts'
import {
  chargeMoves,
  decideAuthorisation,
  decideCancel,
  decideCapture,
  decideEdit,
  decideRefund,
  isExpired,
  refundableOf,
  refundedOf,
  requestInProgress,
  saleOf,
  statusAfter,
  statusesFor,
} from './charge.ts'

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
      'not_authenticated',
      'pending',
      'pre_authentication_pending',
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
const AFTER: Readonly<Record<ChargeStatus, Readonly<Record<MovementType, Ends>>>> = {
  processing: {
    sale: ['pending', 'failed', 'failed', 'failed'],
    capture: onlyApproved('fault', 'processing'),
    cancel: onlyApproved('fault', 'processing'),
    refund: onlyApproved('fault', 'processing'),
  },
  pre_authentication_pending: {
    sale: ['pending', 'failed', 'failed', 'failed'],
    capture: onlyApproved('fault', 'pre_authentication_pending'),
    cancel: onlyApproved('fault', 'pre_authentication_pending'),
    refund: onlyApproved('fault', 'pre_authentication_pending'),
  },
  not_authenticated: {
    sale: FAULT,
    capture: onlyApproved('fault', 'not_authenticated'),
    cancel: onlyApproved('fault', 'not_authenticated'),
    refund: onlyApproved('fault', 'not_authenticated'),
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

const everyMove = CHARGE_STATUSES.flatMap((status) =>
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

describe('an attempt', () => {
  it.each([
    ['sale', ['processing', 'pre_authentication_pending']],
    ['capture', ['pending']],
    ['cancel', ['pending']],
    ['refund', ['complete']],
  ] as const)('of type %s begins when the charge is %j', (type, statuses) => {
    expect(statusesFor(type)).toEqual(statuses)
  })

  it.each(OUTCOMES)('without an outcome can be %s', (said) => {
    expect(outcomeAfter(madeAttempt({ outcome: 'open' }), said)).toBe(said)
  })

  it.each(OUTCOMES.flatMap((was) => OUTCOMES.map((said) => [was, said] as const)))(
    'that was %s can no longer be %s',
    (outcome, said) => {
      expect(() => outcomeAfter(madeAttempt({ outcome }), said)).toThrow(
        `an attempt that is ${outcome} can't be`,
      )
    },
  )
})

describe('decisions', () => {
  /** The code that a decision ends in, or what it decides. */
  function decided(decide: () => unknown): unknown {
    try {
      return decide()
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      // Every refusal tells the merchant what to do, in a sentence.
      expect(error.message).toMatch(/^[A-Z].{20,}\.$/)
      return error.code
    }
  }

  const ALL = 1000
  const WRONG = 'unfulfilled_condition'
  const BUSY = 'request_in_progress'
  const OVER = 'authorisation_expired'

  const NEVER = [WRONG, BUSY, WRONG, BUSY]
  /** Each state: as it is, with an attempt under way, with its hold over, with both (contract §4, state table). */
  const followedIn = (status: ChargeStatus) => (status === 'pending' ? ['yes', BUSY, OVER, OVER] : NEVER)
  const refundedIn = (status: ChargeStatus) => (status === 'complete' ? ['yes', BUSY, 'yes', BUSY] : NEVER)
  const SITUATIONS = [
    { openAttemptId: null, isHoldOver: false },
    { openAttemptId: 'a2', isHoldOver: false },
    { openAttemptId: null, isHoldOver: true },
    { openAttemptId: 'a2', isHoldOver: true },
  ]
  const everyCase = CHARGE_STATUSES.flatMap((status) =>
    SITUATIONS.map((situation, at) => ({
      status,
      ...situation,
      followed: followedIn(status)[at],
      refunded: refundedIn(status)[at],
    })),
  )

  describe.each(everyCase)(
    'a charge that is $status (under way: $openAttemptId, hold over: $isHoldOver)',
    ({ status, openAttemptId, isHoldOver, followed, refunded }) => {
      const charge = madeCharge({ status, openAttemptId, isHoldOver, preAuth: status !== 'complete' })

      it(`captured: ${String(followed)}`, () =>
        expect(decided(() => decideCapture(charge, undefined))).toBe(followed === 'yes' ? ALL : followed))

      it(`cancelled: ${String(followed)}`, () =>
        expect(decided(() => decideCancel(charge))).toBe(followed === 'yes' ? undefined : followed))

      it(`refunded: ${String(refunded)}`, () =>
        expect(decided(() => decideRefund(charge, undefined))).toBe(refunded === 'yes' ? ALL : refunded))
    },
  )

  describe('a sale', () => {
    it.each([
      [true, true, undefined],
      [true, false, undefined],
      [false, true, undefined],
      [false, false, 'feature_not_enabled'],
    ])('of a merchant with Pre-Auth %s and capture %s: %s', (preAuth, capture, end) => {
      expect(decided(() => decideAuthorisation({ preAuth }, capture))).toBe(end)
    })
  })

  describe('a capture of a hold of 10.00', () => {
    it.each([
      ['0.01', 1],
      ['9.99', 999],
      ['10.00', 1000],
      ['10.01', 'amount_exceeds_authorised'],
      ['9999999.99', 'amount_exceeds_authorised'],
    ])('of %s: %s', (asked, end) => {
      expect(decided(() => decideCapture(madeCharge(), cents(asked)))).toBe(end)
    })

    it('is over once its release was recorded', () => {
      const attempts = [madeAttempt(), madeAttempt({ type: 'cancel', reason: 'authorisation_expired' })]
      const charge = madeCharge({ status: 'cancelled', openAttemptId: 'a3', attempts })
      expect(decided(() => decideCapture(charge, undefined))).toBe(OVER)
    })
  })

  describe('a refund of a sale of 10.00, of which 4.00 went back', () => {
    const attempts = [madeAttempt(), madeAttempt({ id: 'a2', type: 'refund', amount: cents('4.00') })]
    const charge = madeCharge({ status: 'complete', preAuth: false, attempts })

    it.each([
      [undefined, 600],
      ['0.01', 1],
      ['6.00', 600],
      ['6.01', 'amount_exceeds_captured'],
      ['10.00', 'amount_exceeds_captured'],
    ])('of %s: %s', (asked, end) => {
      expect(decided(() => decideRefund(charge, asked === undefined ? undefined : cents(asked)))).toBe(end)
    })
  })

  describe('the words', () => {
    const wordsOf = (decide: () => unknown): string => {
      try {
        decide()
      } catch (error) {
        if (error instanceof ServiceError) return error.message
      }
      return ''
    }

    it('of a refused movement name the state and what would be needed', () => {
      const failed = madeCharge({ status: 'failed' })
      expect(wordsOf(() => decideCapture(failed, undefined))).toContain(
        'is failed; only a pending charge can be captured',
      )
      expect(wordsOf(() => decideCancel(failed))).toContain(
        'is failed; only a pending charge can be cancelled',
      )
      expect(wordsOf(() => decideRefund(failed, undefined))).toBe(
        'The charge is failed; only a complete charge can be refunded.',
      )
    })

    it('of a refused refund of a hold say what to do instead', () => {
      expect(wordsOf(() => decideRefund(madeCharge(), undefined))).toMatch(
        /refunded\. Cancel it to release the funds\.$/,
      )
    })

    it('of a movement under way say when to come again', () => {
      expect(requestInProgress()).toMatchObject({ code: 'request_in_progress', retryAfter: 1 })
    })
  })
})

describe('chargeAfter', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 10, minute))
  const sale = madeAttempt({ id: 'sale', settledAt: at(0) })
  const failed = madeAttempt({ id: 'failed', type: 'capture', outcome: 'declined', settledAt: at(1) })
  const capture = madeAttempt({ id: 'capture', type: 'capture', settledAt: at(2) })
  const part = madeAttempt({ id: 'part', type: 'refund', amount: cents('4.00'), settledAt: at(3) })
  const rest = madeAttempt({ id: 'rest', type: 'refund', amount: cents('6.00'), settledAt: at(4) })
  const open = madeAttempt({ id: 'open', type: 'refund', outcome: 'open', settledAt: null })
  const attempts = [sale, failed, capture, part, open, rest]
  const now = madeCharge({ status: 'refunded', openAttemptId: 'open', attempts, updatedAt: at(9) })

  describe('a charge after an attempt', () => {
    it.each([
      [sale, 'pending', 1, at(0)],
      [failed, 'pending', 2, at(1)],
      [capture, 'complete', 3, at(2)],
      [part, 'complete', 4, at(3)],
      [open, 'complete', 5, at(3)],
      [rest, 'refunded', 6, at(4)],
    ] as const)('$id', (attempt, status, count, updatedAt) => {
      expect(chargeAfter(now, attempt)).toEqual({
        ...now,
        status,
        updatedAt,
        openAttemptId: null,
        attempts: attempts.slice(0, count),
      })
    })

    it('has the changes of its words that came before, and those of now as its words', () => {
      const edits = [1, 3, 8].map((minute) => ({ id: `edit-${String(minute)}`, at: at(minute) }))
      const edited = madeCharge({ ...now, edits, reference: 'now' })
      expect(chargeAfter(edited, capture)).toMatchObject({ reference: 'now', edits: edits.slice(0, 1) })
      expect(chargeAt(edited, at(3))).toMatchObject({ edits: edits.slice(0, 2), updatedAt: at(3) })
    })

    it('is processing while its sale is open', () => {
      const pending = madeAttempt({ outcome: 'open', settledAt: null })
      const charge = madeCharge({ attempts: [pending] })
      expect(chargeAfter(charge, pending)).toMatchObject({
        status: 'processing',
        updatedAt: charge.updatedAt,
      })
    })

    it('takes no longer per attempt if there are many', () => {
      const sold = madeAttempt({ id: 'sale', amount: cents('300.00') })
      const refunds = Array.from({ length: 30_000 }, (_, i) =>
        madeAttempt({
          id: `refund ${String(i)}`,
          type: 'refund',
          amount: cents('0.01'),
          settledAt: at(i % 60),
        }),
      )
      const charge = madeCharge({ preAuth: false, status: 'refunded', attempts: [sold, ...refunds] })
      const [lastButOne, last] = refunds.slice(-2)
      if (lastButOne === undefined || last === undefined) throw new Error('no refunds')
      const began = performance.now()
      const statuses = [lastButOne, last].map((one) => chargeAfter(charge, one).status)
      expect(performance.now() - began).toBeLessThan(1000)
      expect(statuses).toEqual(['complete', 'refunded'])
    })
  })
})

describe('chargeAt', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 10, minute))
  const sale = madeAttempt({ id: 'sale', createdAt: at(0), settledAt: at(2) })
  const capture = madeAttempt({ id: 'capture', type: 'capture', createdAt: at(4), settledAt: at(6) })
  const edits = [1, 3, 5, 7].map((minute) => ({ id: `edit-${String(minute)}`, at: at(minute) }))
  const now = madeCharge({ status: 'complete', attempts: [sale, capture], edits, updatedAt: at(7) })

  it.each([
    [1, 'processing', [['sale', 'open', null]]],
    [3, 'pending', [['sale', 'approved', 'x1']]],
    [
      5,
      'pending',
      [
        ['sale', 'approved', 'x1'],
        ['capture', 'open', null],
      ],
    ],
    [
      7,
      'complete',
      [
        ['sale', 'approved', 'x1'],
        ['capture', 'approved', 'x1'],
      ],
    ],
  ] as const)('knows nothing that was known only after minute %i', (minute, status, attempts) => {
    const then = chargeAt(now, at(minute))
    expect([then.status, then.updatedAt, then.edits.length]).toEqual([status, at(minute), (minute + 1) / 2])
    expect(then.attempts.map(({ id, outcome, externalId }) => [id, outcome, externalId])).toEqual(attempts)
  })
})

describe('decideEdit', () => {
  const charge = madeCharge({ reference: 'r', description: 'd', metadata: { a: '1', toString: '2' } })

  it.each([
    ['nothing', {}, [], {}],
    ['what is so already', { reference: 'r', metadata: { a: '1', gone: null } }, [], {}],
    ['a text', { metadata: { a: '2' } }, ['metadata.a'], { metadata: { a: '2', toString: '2' } }],
    ['a name less', { metadata: { a: null } }, ['metadata.a'], { metadata: { toString: '2' } }],
    [
      'all',
      { reference: null, description: 'e' },
      ['reference', 'description'],
      { reference: null, description: 'e' },
    ],
  ] as const)('changes %s', (_, change, changed, words) => {
    const { reference, description, metadata } = charge
    expect(decideEdit(charge, change)).toEqual({
      changed,
      words: { reference, description, metadata, ...words },
    })
  })

  it('takes 1,000 changes, and after them only those that change nothing', () => {
    const edits = Array.from({ length: 1000 }, (_, n) => ({ id: String(n), at: new Date(n) }))
    expect(() => decideEdit({ ...charge, edits }, { reference: 'other' })).toThrow('1,000 times')
    expect(decideEdit({ ...charge, edits }, { reference: 'r' }).changed).toEqual([])
    expect(decideEdit({ ...charge, edits: edits.slice(1) }, { reference: 'other' }).changed).toEqual([
      'reference',
    ])
  })
})
