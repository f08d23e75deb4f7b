import { expect, it } from 'vitest'
import { doublingDelay } from './doubling-delay.ts'

it.each([
  [1, 1000],
  [2, 2000],
  [3, 4000],
  [9, 256_000],
  [10, 300_000],
  [2000, 300_000],
])('after %i attempts waits %i ms', (attempts, delay) => {
  expect(doublingDelay(attempts, { firstMs: 1000, longestMs: 300_000 })).toBe(delay)
})
