import { expect, it } from 'vitest'
import { tellFailures } from './tell-failures.ts'

it('tells the same failure once a minute and how often it came in between, and another one at once', () => {
  let now = 0
  const told: [string, number][] = []
  const tell = tellFailures(
    (error, untold) => told.push([error instanceof Error ? error.message : '', untold]),
    { elapsedMs: () => now },
  )
  for (let times = 0; times < 240; times += 1) {
    tell(new Error('away'))
    now += 250
  }
  expect(told).toEqual([['away', 0]])
  tell(new Error('away'))
  tell(new Error('broken'))
  tell(new Error('away'))
  tell(new Error('away'))
  tell(new Error('broken'))
  expect(told.slice(1)).toEqual([
    ['away', 239],
    ['broken', 0],
    ['away', 0],
    ['broken', 0],
  ])
})
