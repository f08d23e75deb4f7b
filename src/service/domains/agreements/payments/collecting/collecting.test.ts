import { expect, it } from 'vitest'
import { createCollecting } from './collecting.ts'

it('stops in the middle of a day when it is told to', async () => {
  let taken = 0
  const collecting = createCollecting(() => {
    taken += 1
    collecting.abort()
    return Promise.resolve(100)
  })
  await collecting.work()
  expect(taken).toBe(1)
})
