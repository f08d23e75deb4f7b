import { describe, expect, it } from 'vitest'
import { List } from './list.ts'

/** More pages than any of these lists has: here a list without an end is left. */
const MAX_ASKED = 20_000

/** A list of pages with one item each, their number. `nextOf`: which page a page leads to. */
function listOf(nextOf: (page: number) => number | null): List<number> {
  let asked = 0
  return new List((cursor = '0') => {
    asked += 1
    if (asked > MAX_ASKED) throw new Error('it goes on for ever')
    const page = Number(cursor)
    const next = nextOf(page)
    return Promise.resolve({ data: [page], next: next === null ? null : String(next) })
  })
}

/** Pages one after the other, of which the last leads back to the first of a loop. */
const loopOf = (length: number, first = 1) =>
  listOf((page) => (page === first + length - 1 ? first : page + 1))

const numbersTo = (count: number) => Array.from({ length: count }, (_, page) => page)

const words: unknown = expect.stringMatching(/led back to a page that came before.*Check/)
const LOOP = { code: 'unreadable_answer', retryable: false, message: words }

/** Goes through a list; what it has found is in `found` also where it fails. */
async function goThrough(list: List<number>, found: number[]): Promise<void> {
  for await (const item of list) found.push(item)
}

describe('a list', () => {
  it('that is long has all its pages', async () => {
    const found: number[] = []
    await goThrough(
      listOf((page) => (page === 4999 ? null : page + 1)),
      found,
    )
    expect(found).toEqual(numbersTo(5000))
  })

  it.each([1, 2, 3, 5000])('with a loop of %i pages fails before anything comes twice', async (length) => {
    const found: number[] = []
    await expect(goThrough(loopOf(length), found)).rejects.toMatchObject(LOOP)
    expect(found).toEqual(numbersTo(length))
  })

  it('that goes into a loop after other pages fails, too', async () => {
    const found: number[] = []
    await expect(goThrough(loopOf(3, 2000), found)).rejects.toMatchObject(LOOP)
    expect(found).toEqual(numbersTo(2002))
  })
})
