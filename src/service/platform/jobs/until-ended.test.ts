import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createFairPool } from './fair-pool.ts'

const PATIENT_MS = 10_000

/** A pool with these tasks under way, each of which ends when it is told to. */
function openPool(ids: readonly string[]) {
  const pool = createFairPool({
    kind: 'webhook',
    target: 'webhook',
    shares: { quick: 8, slow: 8, merchant: 8, target: 8 },
    timeoutMs: 15_000,
    deadlineMs: 60_000,
    clock: { elapsedMs: () => 0 },
    warn: () => undefined,
    onFault: () => undefined,
  })
  const endings = new Map<string, () => void>()
  for (const id of ids)
    pool.start(
      { id, merchantId: id, targetId: id },
      () => new Promise((resolve) => endings.set(id, () => resolve(true))),
    )
  return { pool, end: (id: string) => endings.get(id)?.() }
}

describe('whoever waits for some of the tasks to end', () => {
  it.each([
    [1, ['a']],
    [2, ['a', 'b']],
    [3, ['a', 'b', 'c']],
    [9, ['a', 'b', 'c']],
  ])('waits for %i of three', async (some, ended) => {
    const { pool, end } = openPool(['a', 'b', 'c'])
    const seen: string[] = []
    const waited = pool.untilEnded(some, PATIENT_MS).then(() => seen.push('go on'))
    for (const id of ['a', 'b', 'c']) {
      end(id)
      seen.push(id)
      await sleep(5)
    }
    await waited
    expect(seen.slice(0, ended.length + 1)).toEqual([...ended, 'go on'])
  })

  it('waits for nothing where nothing is under way', async () => {
    await openPool([]).pool.untilEnded(1, PATIENT_MS)
  })

  it('goes on when its time is over', async () => {
    const { pool, end } = openPool(['a'])
    await pool.untilEnded(1, 10)
    end('a')
    await pool.finish()
  })
})
