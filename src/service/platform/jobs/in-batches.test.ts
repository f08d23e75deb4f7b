import { expect, it } from 'vitest'
import { inBatches } from './in-batches.ts'

it('does together what comes while it is busy, so many at a time', async () => {
  const batches: number[][] = []
  const add = inBatches<number>(2, (batch) => Promise.resolve(batches.push([...batch])))
  await Promise.all([1, 2, 3, 4].map(add))
  await add(5)
  expect(batches).toEqual([[1], [2, 3], [4], [5]])
})

it('fails what is in a batch that fails, and goes on', async () => {
  const add = inBatches<string>(10, ([first]) =>
    first === 'bad' ? Promise.reject(new Error('broken')) : Promise.resolve(),
  )
  const results = await Promise.allSettled([add('bad'), add('good')])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
})
