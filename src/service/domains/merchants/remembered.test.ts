import { expect, it } from 'vitest'
import { remembered } from './remembered.ts'

it('is what was so five seconds ago at the most, however long the answer took', async () => {
  let now = 0
  let asked = 0
  const { recall } = remembered({ elapsedMs: () => now }, () => {
    now += 2000
    asked += 1
    return Promise.resolve(asked)
  })
  expect(await recall('a merchant')).toBe(1)
  now = 4999
  expect(await recall('a merchant')).toBe(1)
  now = 5000
  expect(await recall('a merchant')).toBe(2)
})
