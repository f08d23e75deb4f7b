import { describe, expect, it } from 'vitest'
import { PIECE } from './piece.ts'
import { piecewise } from './piecewise.ts'

/** A step that finds so many rows, and notes what it did each time. */
function stepOver(rows: number, done: number[], onPiece: () => void = () => undefined) {
  let left = rows
  return () => {
    const piece = Math.min(left, PIECE)
    left -= piece
    done.push(piece)
    onPiece()
    return Promise.resolve(piece)
  }
}

describe('piecewise work', () => {
  it.each([
    [0, [0]],
    [PIECE - 1, [PIECE - 1]],
    [PIECE, [PIECE, 0]],
    [2 * PIECE + 5, [PIECE, PIECE, 5]],
  ])('of %i rows is done in pieces until there is nothing more', async (rows, pieces) => {
    const done: number[] = []
    await piecewise([stepOver(rows, done)]).work()
    expect(done).toEqual(pieces)
  })

  it('does one step after the other', async () => {
    const done: number[] = []
    await piecewise([stepOver(PIECE, done), stepOver(3, done)]).work()
    expect(done).toEqual([PIECE, 0, 3])
  })

  it('rests after a full piece for longer than it took', async () => {
    const at: number[] = []
    const slow = () =>
      new Promise<number>((resolve) =>
        setTimeout(() => resolve(at.push(performance.now()) < 2 ? PIECE : 0), 20),
      )
    await piecewise([slow]).work()
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThan(60)
  })

  it('ends after the piece that is under way', async () => {
    const done: number[] = []
    const pieces = piecewise([stepOver(5 * PIECE, done, () => pieces.abort()), stepOver(1, done)])
    await pieces.work()
    expect(done).toEqual([PIECE])
  })

  it('fails with its step', async () => {
    await expect(piecewise([() => Promise.reject(new Error('lost'))]).work()).rejects.toThrow('lost')
  })
})
