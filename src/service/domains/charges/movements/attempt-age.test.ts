import { expect, it } from 'vitest'
import { attemptAge } from './attempt-age.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

it.each([
  ['a clock that never stepped is believed', 5 * MINUTE, Infinity, 0, [5 * MINUTE, 5 * MINUTE]],
  [
    'set forward by 2 h 10 s ago: a sale under way is not taken for an old one',
    2 * HOUR,
    10_000,
    0,
    [10_000, 2 * HOUR],
  ],
  ['made after the step', 3000, 10_000, 0, [3000, 3000]],
  [
    'set back by 2 h: an old sale is not taken for a young one',
    MINUTE,
    HOUR,
    2 * HOUR,
    [MINUTE, 2 * HOUR + MINUTE],
  ],
  ['set back: made in the future', -HOUR, MINUTE, 2 * HOUR, [-HOUR, HOUR]],
])('%s', (_, seemsMs, sinceMs, backMs, [minAgeMs, ageMs]) => {
  const steps = { msSinceStep: () => sinceMs, setBackMs: () => backMs }
  expect(attemptAge(seemsMs, steps)).toEqual({ minAgeMs, ageMs })
})
