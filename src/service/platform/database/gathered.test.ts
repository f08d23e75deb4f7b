import { expect, it } from 'vitest'
import { gathered } from './gathered.ts'

function counted() {
  const reads: (readonly string[])[] = []
  const find = gathered((keys) => {
    reads.push(keys)
    if (keys.includes('broken')) return Promise.reject(new Error('no database'))
    return Promise.resolve(
      new Map(keys.filter((key) => key !== 'none').map((key) => [key, key.toUpperCase()])),
    )
  })
  return { reads, find }
}

it('what is asked for at one moment is read at once, each key once', async () => {
  const { reads, find } = counted()
  expect(await Promise.all([find('a'), find('b'), find('a'), find('none')])).toEqual(['A', 'B', 'A', null])
  expect(reads).toEqual([['a', 'b', 'none']])
})

it('what is asked for later is read anew', async () => {
  const { reads, find } = counted()
  await find('a')
  await find('a')
  expect(reads).toEqual([['a'], ['a']])
})

it('a read that fails fails for all who asked, and for nobody after them', async () => {
  const { find } = counted()
  const ends = await Promise.allSettled([find('a'), find('broken')])
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await find('a')).toBe('A')
})
