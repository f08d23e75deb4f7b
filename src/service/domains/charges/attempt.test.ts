import { describe, expect, it } from 'vitest'
import { outcomeAfter, statusesFor } from './charge.ts'
import { madeAttempt } from './testing/made-charge.ts'

const OUTCOMES = ['approved', 'declined', 'unreachable', 'not_received'] as const

describe('an attempt', () => {
  it.each([
    ['sale', ['processing']],
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
