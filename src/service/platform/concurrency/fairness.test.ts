import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createBulkhead, createFairPool } from './fairness.ts'
import type { FairPool, Task } from './fairness.ts'

const SHARES = { quick: 64, slow: 16, merchant: 16, target: 8 }

/** A pool whose clock is turned by hand, and whose tasks end when they are told to. */
function openPool(deadlineMs = 60_000) {
  let now = 0
  const warnings: object[] = []
  const endings = new Map<string, (isWell: boolean) => void>()
  const pool = createFairPool({
    kind: 'webhook',
    target: 'webhook',
    shares: SHARES,
    timeoutMs: 15_000,
    deadlineMs,
    clock: { elapsedMs: () => now },
    warn: (facts) => warnings.push(facts),
    onFault: () => undefined,
  })
  const begin = (tasks: readonly Task[]): Task[] => {
    const chosen = pool.choose(tasks)
    for (const one of chosen) pool.start(one, () => new Promise((resolve) => endings.set(one.id, resolve)))
    return chosen
  }
  return {
    pool,
    begin,
    warnings,
    pass: (ms: number) => (now += ms),
    endAll: (isWell = true) => endAll(pool, endings, isWell),
  }
}

async function endAll(
  pool: FairPool,
  endings: Map<string, (isWell: boolean) => void>,
  isWell: boolean,
): Promise<void> {
  for (const end of endings.values()) end(isWell)
  await pool.finish()
}

let last = 0
const task = (merchantId: string, targetId: string): Task => ({
  id: `task-${(last += 1)}`,
  merchantId,
  targetId,
})
const tasks = (merchants: number, targets: number, each: number, name = 'hung'): Task[] =>
  Array.from({ length: merchants * targets * each }, (_, number) => {
    const merchant = `${name}-${number % merchants}`
    return task(merchant, `${merchant}/${Math.floor(number / merchants) % targets}`)
  })
const perMerchant = (chosen: readonly Task[]) => {
  const counts = new Map<string, number>()
  for (const { merchantId } of chosen) counts.set(merchantId, (counts.get(merchantId) ?? 0) + 1)
  return counts
}

describe('a pool of tasks that wait for others', () => {
  it('gives one merchant no more than its share, and one target no more than its own', () => {
    const { begin } = openPool()
    const chosen = begin(tasks(1, 16, 20))
    expect(chosen).toHaveLength(SHARES.merchant)
    expect(begin(tasks(1, 1, 100, 'other'))).toHaveLength(SHARES.target)
  })

  it('does not take a target for slow while what it is to be asked is still prepared', async () => {
    const { pool, pass, warnings } = openPool()
    let ready: () => void = () => undefined
    const prepared = new Promise<void>((resolve) => (ready = resolve))
    const waiting = tasks(1, 1, 1)
    for (const one of waiting) pool.start(one, () => prepared.then(() => true), prepared)
    pass(20_000)
    pool.capacity()
    expect(warnings).toEqual([])
    ready()
    await pool.finish()
    expect(pool.choose(tasks(1, 1, SHARES.target))).toHaveLength(SHARES.target)
  })

  it('shares equally among those who want more than there is', () => {
    const { begin } = openPool()
    const counts = [...perMerchant(begin(tasks(12, 4, 8))).values()]
    expect(counts).toHaveLength(12)
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
  })

  it('keeps slots for who has little under way, however many hostile merchants there are', () => {
    const { begin } = openPool()
    begin(tasks(20, 16, 8))
    const honest = begin(tasks(1, 1, 5, 'honest'))
    expect(honest.length).toBeGreaterThan(0)
  })

  it('lets those who are slow wait beside the others, not in their slots', () => {
    const { begin, pass } = openPool()
    for (let round = 0; round < 20; round += 1) {
      begin(tasks(50, 16, 2))
      pass(2001)
    }
    const honest = begin(tasks(4, 1, 8, 'honest'))
    expect(perMerchant(honest)).toEqual(
      new Map(Array.from({ length: 4 }, (_, number) => [`honest-${number}`, 8])),
    )
  })

  it('has no more under way than begin within a time-out, even if every target is new and hangs', () => {
    const { pool, begin, pass } = openPool()
    const maxRounds = Math.ceil(15_000 / 2000)
    for (let round = 0; round < maxRounds; round += 1) {
      begin(tasks(50, 16, 2, `new-${round}`))
      pass(2000)
    }
    expect(pool.underWay()).toBeGreaterThan(SHARES.quick + SHARES.slow)
    expect(pool.underWay()).toBeLessThanOrEqual(SHARES.quick * maxRounds + SHARES.slow)
  })

  it('gives a silent target one task at a time until it answers, and logs that once', async () => {
    const { pool, begin, pass, endAll, warnings } = openPool()
    const silent = () => tasks(1, 1, 20, 'silent')
    expect(begin(silent())).toHaveLength(8)
    pass(15_000)
    await endAll()
    expect(begin(silent())).toHaveLength(1)
    pass(15_000)
    await endAll()
    expect(warnings).toMatchObject([{ kind: 'webhook', merchant_id: 'silent-0', webhook_id: 'silent-0/0' }])
    expect(pool.capacity().targets.get('silent-0/0')).toBe(1)
    expect(begin(silent())).toHaveLength(1)
    pass(100)
    await endAll()
    expect(begin(silent())).toHaveLength(8)
  })

  it('gives a target that answers late a few at a time', async () => {
    const { begin, pass, endAll } = openPool()
    begin(tasks(1, 1, 1, 'late'))
    pass(5000)
    await endAll()
    expect(begin(tasks(1, 1, 20, 'late'))).toHaveLength(4)
  })

  it('gives a target that fails five times in a row a few at a time, until it does not', async () => {
    const { begin, endAll } = openPool()
    begin(tasks(1, 1, 4, 'failing'))
    await endAll(false)
    expect(begin(tasks(1, 1, 20, 'failing'))).toHaveLength(8)
    await endAll(false)
    expect(begin(tasks(1, 1, 20, 'failing'))).toHaveLength(4)
    await endAll()
    expect(begin(tasks(1, 1, 20, 'failing'))).toHaveLength(8)
  })

  it('does nothing twice at a time', () => {
    const { pool, begin } = openPool()
    const [one] = begin(tasks(1, 1, 1))
    expect(pool.choose(one === undefined ? [] : [one])).toEqual([])
  })

  it('no longer counts a task that overruns its deadline, ends it, and says what it waits for', async () => {
    const { pool, warnings } = openPool(20)
    let isTold = false
    pool.start(task('stuck', 'stuck/1'), (signal) => {
      signal.addEventListener('abort', () => (isTold = true))
      return new Promise(() => undefined)
    })
    await pool.finish()
    expect(pool.underWay()).toBe(0)
    expect(isTold).toBe(true)
    expect(warnings).toMatchObject([{ kind: 'webhook', merchant_id: 'stuck', webhook_id: 'stuck/1' }])
  })

  it('tells how much is under way and how old the oldest is', async () => {
    const { pool, begin, pass, endAll } = openPool()
    expect([pool.underWay(), pool.oldestSeconds()]).toEqual([0, 0])
    begin(tasks(1, 2, 1))
    pass(3000)
    expect([pool.underWay(), pool.oldestSeconds()]).toEqual([2, 3])
    await endAll()
    expect([pool.underWay(), pool.oldestSeconds()]).toEqual([0, 0])
  })

  it('ends at once when it is aborted, and begins nothing more', async () => {
    const { pool } = openPool()
    pool.start(
      task('a', 'a/1'),
      (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(true))),
    )
    pool.abort()
    await pool.finish()
    expect(pool.choose(tasks(1, 1, 1))).toEqual([])
    expect(pool.capacity().max).toBe(0)
  })
})

const PATIENT_MS = 10_000

/** A pool with these tasks under way, each of which ends when it is told to. */
function openPoolOf(ids: readonly string[]) {
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

describe('a wait for some tasks to end', () => {
  it.each([
    [1, ['a']],
    [2, ['a', 'b']],
    [3, ['a', 'b', 'c']],
    [9, ['a', 'b', 'c']],
  ])('asked to wait for %i of three, waits for that many or all', async (some, ended) => {
    const { pool, end } = openPoolOf(['a', 'b', 'c'])
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

  it('is over at once if nothing is under way', async () => {
    await openPoolOf([]).pool.untilEnded(1, PATIENT_MS)
  })

  it('goes on when its time is over', async () => {
    const { pool, end } = openPoolOf(['a'])
    await pool.untilEnded(1, 10)
    end('a')
    await pool.finish()
  })
})

describe('the outlook of a pool', () => {
  /** A pool whose clock is turned by hand. */
  function openPoolWithStart() {
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

  it('counts several calls ahead for quick targets, and none for slow ones', async () => {
    const { pool, start, pass } = openPoolWithStart()
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

  it('learns nothing of a target that was not called', async () => {
    const { pool, start, pass } = openPoolWithStart()
    let end: (isWell: boolean) => void = () => undefined
    start('a', 'slow', new Promise((resolve) => (end = resolve)))
    pass(3000)
    end(true)
    await pool.finish()
    start('b', 'slow', Promise.resolve(null))
    await pool.finish()
    expect([...pool.outlook().targets]).toEqual([['slow', 4]])
  })
})

it('a bulkhead gives each account its slots, counts refusals, warns once until half are free', () => {
  const warnings: object[] = []
  let now = 0
  const bulkhead = createBulkhead({
    kind: 'movement',
    each: 'gateway',
    max: 2,
    clock: { elapsedMs: () => now },
    warn: (facts) => warnings.push(facts),
  })
  const leave = [bulkhead.enter('hung'), bulkhead.enter('hung')]
  expect([bulkhead.enter('hung'), bulkhead.enter('hung')]).toEqual([null, null])
  expect(bulkhead.enter('other')).not.toBeNull()
  now = 4000
  expect([bulkhead.underWay(), bulkhead.oldestSeconds(), bulkhead.refused()]).toEqual([3, 4, 2])
  expect(warnings).toMatchObject([{ kind: 'movement', gateway_id: 'hung', under_way: 2 }])
  leave[0]?.()
  expect(bulkhead.enter('hung')).not.toBeNull()
  expect(bulkhead.enter('hung')).toBeNull()
  expect(warnings).toHaveLength(2)
})
