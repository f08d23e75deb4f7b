import { expect, it } from 'vitest'
import { inBatches } from './in-batches.ts'

it('does together what comes while it is busy, so many at a time, and gives each its result', async () => {
  const batches: number[][] = []
  const add = inBatches<number, number>(2, (batch) => {
    batches.push([...batch])
    return Promise.resolve((thing) => thing * 10)
  })
  expect(await Promise.all([1, 2, 3, 4].map(add))).toEqual([10, 20, 30, 40])
  await add(5)
  expect(batches).toEqual([[1], [2, 3], [4], [5]])
})

it('fails what is in a batch that fails, and goes on', async () => {
  const add = inBatches<string, undefined>(10, ([first]) =>
    first === 'bad' ? Promise.reject(new Error('broken')) : Promise.resolve(() => undefined),
  )
  const results = await Promise.allSettled([add('bad'), add('good')])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
})
