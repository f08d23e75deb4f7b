import { expect, it } from 'vitest'
import { createWorkQueue } from './work-queue.ts'

/** Work that ends when it is told to. */
function createWork() {
  const ends: (() => void)[] = []
  return { ends, work: () => new Promise<void>((resolve) => ends.push(resolve)) }
}

it('does so much at once, the others in turn, and turns away who would wait too long', async () => {
  const inTurn = createWorkQueue({ atOnce: 2, maxWaiting: 1 })
  const { ends, work } = createWork()
  const done: number[] = []
  const asked = [1, 2, 3].map((number) => inTurn(work).then(() => done.push(number)))
  await expect(inTurn(work)).rejects.toMatchObject({ code: 'service_unavailable', retryAfter: 2 })
  expect(ends).toHaveLength(2)
  ends[1]?.()
  await asked[1]
  expect(ends).toHaveLength(3)
  for (const end of ends) end()
  await Promise.all(asked)
  expect(done).toEqual([2, 1, 3])
})

it('goes on after work that failed', async () => {
  const inTurn = createWorkQueue({ atOnce: 1, maxWaiting: 1 })
  const failing = inTurn(() => Promise.reject(new Error('broken')))
  const next = inTurn(() => Promise.resolve('done'))
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('done')
  expect(await inTurn(() => Promise.resolve('again'))).toBe('again')
})
