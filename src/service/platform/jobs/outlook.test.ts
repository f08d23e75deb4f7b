import { expect, it } from 'vitest'
import { createFairPool } from './fair-pool.ts'

const SHARES = { quick: 64, slow: 16, merchant: 16, target: 8 }

/** A pool whose clock is turned by hand. */
function openPool() {
  let now = 0
  const pool = createFairPool({
    kind: 'webhook',
    target: 'webhook',
    shares: SHARES,
    timeoutMs: 15_000,
    deadlineMs: 60_000,
    clock: { elapsedMs: () => now },
    warn: () => undefined,
    onFault: () => undefined,
  })
  const start = (id: string, targetId: string, work: Promise<boolean | null>) =>
    pool.start({ id, merchantId: 'm', targetId }, () => work)
  return { pool, start, pass: (ms: number) => (now += ms) }
}

it('looks ahead for who answers quickly, whatever is under way, and for nobody else', async () => {
  const { pool, start, pass } = openPool()
  let end: (isWell: boolean) => void = () => undefined
  start('a', 'slow', new Promise((resolve) => (end = resolve)))
  pass(3000)
  start('b', 'quick', new Promise((resolve) => setImmediate(() => resolve(true))))
  const { max, eachTarget, targets } = pool.outlook()
  expect({ max, eachTarget }).toEqual({ max: SHARES.quick + SHARES.slow, eachTarget: 8 * SHARES.target })
  expect([...targets]).toEqual([['slow', 3]])
  end(true)
  await pool.finish()
  expect([...pool.outlook().targets]).toEqual([['slow', 4]])
  pool.abort()
  expect(pool.outlook()).toMatchObject({ max: 0, eachTarget: 0 })
})

it('learns nothing of a target that was not asked', async () => {
  const { pool, start, pass } = openPool()
  let end: (isWell: boolean) => void = () => undefined
  start('a', 'slow', new Promise((resolve) => (end = resolve)))
  pass(3000)
  end(true)
  await pool.finish()
  start('b', 'slow', Promise.resolve(null))
  await pool.finish()
  expect([...pool.outlook().targets]).toEqual([['slow', 4]])
})
