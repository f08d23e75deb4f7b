import { describe, expect, it } from 'vitest'
import { toFollowUpOperation, toOpenOperation } from './gateway-operation.ts'
import { cents, madeAttempt, madeCharge } from '../testing/made-charge.ts'

const noSteps = { msSinceStep: () => Infinity, setBackMs: () => 0 }
const { signal } = new AbortController()
const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 10, 0, second))
const sale = madeAttempt({ id: 'a1', createdAt: at(1), externalId: 'x1' })
const capture = madeAttempt({ id: 'a2', type: 'capture', amount: cents('7.00'), createdAt: at(31) })
const charge = madeCharge({ attempts: [sale, capture], createdAt: at(0), ageMs: 60_000 })

describe('an operation as a gateway is told of it', () => {
  const told = { attemptId: 'a2', amount: 700, currency: 'AUD', signal }
  const followed = { id: 'x1', amount: 1000, capture: false, ageMs: 30_000 }

  it('follows its sale', () => {
    expect(toFollowUpOperation(charge, capture, signal)).toEqual({ ...told, sale: followed })
  })

  it('is asked for with its age when it has no outcome', () => {
    expect(toOpenOperation(charge, capture, signal, noSteps)).toEqual({
      ...told,
      type: 'capture',
      sale: followed,
      ageMs: 29_000,
      minAgeMs: 29_000,
    })
  })

  it.each([
    [true, false],
    [false, true],
  ])('of a sale says whether it captures (hold: %s)', (preAuth, captures) => {
    const asked = toOpenOperation({ ...charge, preAuth }, sale, signal, noSteps)
    expect(asked).toEqual({
      attemptId: 'a1',
      amount: 1000,
      currency: 'AUD',
      signal,
      ageMs: 59_000,
      minAgeMs: 59_000,
      type: 'sale',
      capture: captures,
    })
  })

  it('follows a sale whose id the gateway never said', () => {
    const unnamed = { ...charge, preAuth: false, attempts: [{ ...sale, externalId: null }, capture] }
    expect(toFollowUpOperation(unnamed, capture, signal).sale).toEqual({ ...followed, id: '', capture: true })
  })
})
