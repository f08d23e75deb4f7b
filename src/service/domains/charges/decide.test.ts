import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../platform/errors.ts'
import type { ChargeStatus } from './charge.ts'
import { decideCancel, decideCapture, decideRefund, decideSale, movedMeanwhile } from './decide.ts'
import { cents, madeAttempt, madeCharge } from './testing/made-charge.ts'

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

/** Each state: as it is, with an attempt under way, with its hold over, with both (contract §4, state table). */
const FOLLOWED: Readonly<Record<ChargeStatus, readonly unknown[]>> = {
  processing: [WRONG, BUSY, WRONG, BUSY],
  pending: ['yes', BUSY, OVER, OVER],
  complete: [WRONG, BUSY, WRONG, BUSY],
  cancelled: [WRONG, BUSY, WRONG, BUSY],
  failed: [WRONG, BUSY, WRONG, BUSY],
  refunded: [WRONG, BUSY, WRONG, BUSY],
}
const REFUNDED: Readonly<Record<ChargeStatus, readonly unknown[]>> = {
  processing: [WRONG, BUSY, WRONG, BUSY],
  pending: [WRONG, BUSY, WRONG, BUSY],
  complete: ['yes', BUSY, 'yes', BUSY],
  cancelled: [WRONG, BUSY, WRONG, BUSY],
  failed: [WRONG, BUSY, WRONG, BUSY],
  refunded: [WRONG, BUSY, WRONG, BUSY],
}
const STATES = ['processing', 'pending', 'complete', 'cancelled', 'failed', 'refunded'] as const
const SITUATIONS = [
  { openAttemptId: null, isHoldOver: false },
  { openAttemptId: 'a2', isHoldOver: false },
  { openAttemptId: null, isHoldOver: true },
  { openAttemptId: 'a2', isHoldOver: true },
]
const everyCase = STATES.flatMap((status) =>
  SITUATIONS.map((situation, at) => ({
    status,
    ...situation,
    followed: FOLLOWED[status][at],
    refunded: REFUNDED[status][at],
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
    expect(decided(() => decideSale({ preAuth }, capture))).toBe(end)
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

  it('whose release was recorded is over, whatever else is under way', () => {
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
    expect(wordsOf(() => decideCancel(failed))).toContain('is failed; only a pending charge can be cancelled')
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
    expect(movedMeanwhile()).toMatchObject({ code: 'request_in_progress', retryAfter: 1 })
  })
})
