import { expect, it } from 'vitest'
import { createWorkLine } from './work-line.ts'

/** Work that ends when it is told to. */
function createWork() {
  const ends: (() => void)[] = []
  return { ends, work: () => new Promise<void>((resolve) => ends.push(resolve)) }
}

it('does so much at once, the others in turn, and turns away who would wait too long', async () => {
  const inLine = createWorkLine({ atOnce: 2, mostWaiting: 1 })
  const { ends, work } = createWork()
  const done: number[] = []
  const asked = [1, 2, 3].map((number) => inLine(work).then(() => done.push(number)))
  await expect(inLine(work)).rejects.toMatchObject({ code: 'service_unavailable', retryAfter: 2 })
  expect(ends).toHaveLength(2)
  ends[1]?.()
  await asked[1]
  expect(ends).toHaveLength(3)
  for (const end of ends) end()
  await Promise.all(asked)
  expect(done).toEqual([2, 1, 3])
})

it('goes on after work that failed', async () => {
  const inLine = createWorkLine({ atOnce: 1, mostWaiting: 1 })
  const failing = inLine(() => Promise.reject(new Error('broken')))
  const next = inLine(() => Promise.resolve('done'))
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('done')
  expect(await inLine(() => Promise.resolve('again'))).toBe('again')
})
