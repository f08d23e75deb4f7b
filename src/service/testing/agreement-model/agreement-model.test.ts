import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openRealSide } from './real-side.ts'
import type { RealSide } from './real-side.ts'
import { runSequence } from './run-sequence.ts'
import { beginning, operations } from './sequences.ts'

/** `npm run model` asks for thousands. */
const SEQUENCES = Number(process.env['MODEL_SEQUENCES'] ?? 12)

let real: RealSide
beforeAll(async () => {
  real = await openRealSide()
})
afterAll(() => real.close())

it(
  `takes ${String(SEQUENCES)} agreements through their lives as the reference model does`,
  { timeout: 7_200_000 },
  async () => {
    let done = 0
    await fc.assert(
      fc.asyncProperty(fc.record({ now: beginning, sequence: operations }), async (run) => {
        await runSequence(real, run, (after, pair) => {
          expect(pair.real, after).toEqual(pair.model)
        })
        done += 1
        if (SEQUENCES >= 1000 && done % 500 === 0) console.log(`${String(done)} sequences, 0 differences`)
      }),
      { numRuns: SEQUENCES },
    )
  },
)
