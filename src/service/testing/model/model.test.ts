import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestService } from '../test-service.ts'
import type { TestService } from '../test-service.ts'
import { eventsOf } from './model-charge.ts'
import { operations } from './operation.ts'
import { createRealSide } from './real-side.ts'
import { ReferenceModel } from './reference-model.ts'

/** `npm run model` asks for thousands. */
const SEQUENCES = Number(process.env['MODEL_SEQUENCES'] ?? 30)

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())

it(
  `answers ${String(SEQUENCES)} sequences of requests as the reference model does`,
  { timeout: 3_600_000 },
  async () => {
    const makeRealSide = await createRealSide(service)
    let done = 0
    await fc.assert(
      fc.asyncProperty(operations, async (sequence) => {
        const model = new ReferenceModel()
        const real = makeRealSide()
        for (const operation of [...sequence, { do: 'resolve attempts' } as const]) {
          const [answer, expected] = await real.run(operation, model)
          expect(answer).toEqual(expected)
        }
        expect(await real.openAttempts()).toBe(0)
        expect(await real.events()).toEqual(model.charges.map((charge) => eventsOf(charge).sort()))
        done += 1
        if (SEQUENCES >= 1000 && done % 500 === 0) console.log(`${String(done)} sequences, 0 differences`)
      }),
      { numRuns: SEQUENCES },
    )
  },
)
