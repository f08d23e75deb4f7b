import { describe, expect, it } from 'vitest'
import { movementAtAttempt } from './charge-at-attempt.ts'
import { cents, madeAttempt, madeCharge } from '../testing/made-charge.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 10, minute))
const sale = madeAttempt({ id: 'sale', settledAt: at(0) })
const failed = madeAttempt({ id: 'failed', type: 'capture', outcome: 'declined', settledAt: at(1) })
const capture = madeAttempt({ id: 'capture', type: 'capture', settledAt: at(2) })
const part = madeAttempt({ id: 'part', type: 'refund', amount: cents('4.00'), settledAt: at(3) })
const rest = madeAttempt({ id: 'rest', type: 'refund', amount: cents('6.00'), settledAt: at(4) })
const open = madeAttempt({ id: 'open', type: 'refund', outcome: 'open', settledAt: null })
const attempts = [sale, failed, capture, part, open, rest]
const now = madeCharge({ status: 'refunded', openAttemptId: 'open', attempts, updatedAt: at(9) })

describe('a charge as it was when an attempt was settled', () => {
  it.each([
    [sale, 'pending', 1, at(0)],
    [failed, 'pending', 2, at(1)],
    [capture, 'complete', 3, at(2)],
    [part, 'complete', 4, at(3)],
    [open, 'complete', 5, at(3)],
    [rest, 'refunded', 6, at(4)],
  ] as const)('$id', (attempt, status, count, updatedAt) => {
    const movement = movementAtAttempt(now, attempt)
    expect(movement.attempt).toBe(attempt)
    expect(movement.charge).toEqual({
      ...now,
      status,
      updatedAt,
      openAttemptId: null,
      attempts: attempts.slice(0, count),
    })
  })

  it('is processing as long as its sale has no outcome', () => {
    const pending = madeAttempt({ outcome: 'open', settledAt: null })
    const charge = madeCharge({ attempts: [pending] })
    expect(movementAtAttempt(charge, pending).charge).toMatchObject({
      status: 'processing',
      updatedAt: charge.updatedAt,
    })
  })

  it('takes no longer for each attempt the more there are', () => {
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
    const statuses = [lastButOne, last].map((one) => movementAtAttempt(charge, one).charge.status)
    expect(performance.now() - began).toBeLessThan(1000)
    expect(statuses).toEqual(['complete', 'refunded'])
  })
})
