import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRateLimit } from './rate-limit.ts'

/** Bytes of the heap that are in use, without garbage, of which other tests leave some. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc()')
  return process.memoryUsage().heapUsed
}

describe('a rate limit', () => {
  it('lets a burst go, then one for each interval, and says how long to wait', () => {
    let now = 1_000_000
    const limit = createRateLimit({ perSecond: 1, burst: 3 }, { elapsedMs: () => now })
    expect([1, 2, 3, 4].map(() => limit.take('a'))).toEqual([0, 0, 0, 1])
    expect(limit.take('b')).toBe(0)
    now += 1000
    expect([limit.take('a'), limit.take('a')]).toEqual([0, 1])
  })

  it('what is refused does not count', () => {
    let now = 0
    const limit = createRateLimit({ perSecond: 1, burst: 1 }, { elapsedMs: () => now })
    expect(limit.take('a')).toBe(0)
    for (let tries = 0; tries < 100; tries += 1) expect(limit.take('a')).toBe(1)
    now = 1000
    expect(limit.take('a')).toBe(0)
  })

  it('never lets more go than the rate and the burst allow, whatever the times', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 200 })
    fc.assert(
      fc.property(
        gaps,
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 20 }),
        (waits, perSecond, burst) => {
          let now = 0
          const limit = createRateLimit({ perSecond, burst }, { elapsedMs: () => now })
          const taken = waits.filter((wait) => {
            now += wait
            return limit.take('a') === 0
          })
          expect(taken.length).toBeLessThanOrEqual(burst + (now * perSecond) / 1000 + 1e-6)
        },
      ),
    )
  })

  it('stays within its memory, however many callers there are', () => {
    const limit = createRateLimit({ perSecond: 1, burst: 1 }, { elapsedMs: () => 0 })
    const before = heapInUse()
    for (let caller = 0; caller < 300_000; caller += 1) limit.take(`10.${caller}`)
    expect(heapInUse() - before).toBeLessThan(10e6)
    expect(limit.take('10.299999')).toBe(1)
  })
})
