import { describe, expect, it } from 'vitest'
import { BATCH_ROWS, workInBatches } from './batches.ts'

/** A step that finds so many rows, and notes what it did each time. */
function stepOver(rows: number, done: number[], onBatch: () => void = () => undefined) {
  let left = rows
  return () => {
    const batch = Math.min(left, BATCH_ROWS)
    left -= batch
    done.push(batch)
    onBatch()
    return Promise.resolve(batch)
  }
}

describe('work in batches', () => {
  it.each([
    [0, [0]],
    [BATCH_ROWS - 1, [BATCH_ROWS - 1]],
    [BATCH_ROWS, [BATCH_ROWS, 0]],
    [2 * BATCH_ROWS + 5, [BATCH_ROWS, BATCH_ROWS, 5]],
  ])('of %i rows is done in batches until there is nothing more', async (rows, batches) => {
    const done: number[] = []
    await workInBatches([stepOver(rows, done)]).work()
    expect(done).toEqual(batches)
  })

  it('does one step after the other', async () => {
    const done: number[] = []
    await workInBatches([stepOver(BATCH_ROWS, done), stepOver(3, done)]).work()
    expect(done).toEqual([BATCH_ROWS, 0, 3])
  })

  it('rests after a full batch for longer than it took', async () => {
    const at: number[] = []
    const slow = () =>
      new Promise<number>((resolve) =>
        setTimeout(() => resolve(at.push(performance.now()) < 2 ? BATCH_ROWS : 0), 20),
      )
    await workInBatches([slow]).work()
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThan(60)
  })

  it('ends after the batch that is under way', async () => {
    const done: number[] = []
    const batches = workInBatches([stepOver(5 * BATCH_ROWS, done, () => batches.abort()), stepOver(1, done)])
    await batches.work()
    expect(done).toEqual([BATCH_ROWS])
  })

  it('runs the steps after one that fails, and then fails with its error', async () => {
    const done: number[] = []
    const failing = () => Promise.reject(new Error('lost'))
    await expect(workInBatches([failing, stepOver(3, done)]).work()).rejects.toThrow('lost')
    expect(done).toEqual([3])
  })

  it('fails with the errors of all steps that failed', async () => {
    const [first, second] = [new Error('first'), new Error('second')]
    const work = workInBatches([() => Promise.reject(first), () => Promise.reject(second)]).work()
    await expect(work).rejects.toMatchObject({ errors: [first, second] })
  })
})
