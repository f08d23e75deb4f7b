import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testCard } from '../testing/test-card.ts'
import { createTestService } from '../testing/test-service.ts'
import type { TestService } from '../testing/test-service.ts'
import { testStatement } from '../testing/test-statement.ts'
import { createRateLimit, createSharedLimit } from './rate-limits.ts'
import type { RateWindow } from './rate-limits.ts'

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

const clock = { elapsedMs: () => 0 }
const rate = { perSecond: 1, burst: 3 }

describe('two processes of one service let in together what one may', () => {
  const started = async (settings: Record<string, string>) => {
    const service = await createTestService({ settings })
    return { service, processes: [service.call, service.startAnother()] }
  }
  const statusesOf = async (processes: TestService['call'][], times: number, options: object) => {
    const calls = processes.flatMap((call) => Array.from({ length: times }, () => call(options)))
    return (await Promise.all(calls)).map(({ status }) => status)
  }
  const countOf = (statuses: unknown[], wanted: number) => statuses.filter((one) => one === wanted).length

  it('of wrong keys: the rest is 429 until the minute is over; right keys go on', async () => {
    const { service, processes } = await started({ SVC_RATE_LIMIT_WRONG_KEYS: '4' })
    await beginOfWindow(service, 60)
    const wrong = { url: '/v1/charges', headers: { 'x-user-secret-key': 'sk_sandbox_guessed' } }
    const statuses = await statusesOf(processes, 4, wrong)
    expect([countOf(statuses, 401), countOf(statuses, 429)]).toEqual([4, 4])
    const refused = await processes[0]?.(wrong)
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } })
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(1)
    expect(Number(refused?.headers['retry-after'])).toBeLessThanOrEqual(60)
    const right = { url: '/v1/charges', headers: { 'x-user-secret-key': service.merchant.secretKey } }
    expect(await statusesOf(processes, 2, right)).toEqual([200, 200, 200, 200])
    await service.close()
  })

  it('of cards, and the counts of windows that have ended are forgotten', async () => {
    const { service, processes } = await started({ SVC_RATE_LIMIT_CARDS_PER_ADDRESS: '2' })
    await beginOfWindow(service, 2)
    const card = {
      method: 'POST',
      url: '/v1/payment_sources/tokens',
      headers: { 'x-user-public-key': service.merchant.publicKey },
      payload: testCard,
    }
    const statuses = await statusesOf(processes, 4, card)
    expect([countOf(statuses, 201), countOf(statuses, 429)]).toEqual([4, 4])
    const windows = testStatement('t_windows', 'SELECT counted FROM rate_windows')
    expect(await service.database.run(windows, [])).toEqual([{ counted: 'cards 127.0.0.1' }])
    await sleep(2000)
    await service.runJob('forget ended rate windows')
    expect(await service.database.run(windows, [])).toEqual([])
    await service.close()
  })
})

/** So that no window ends in the middle of what is sent. */
async function beginOfWindow({ database }: TestService, seconds: number): Promise<void> {
  const left = testStatement<{ ms: number }>(
    't_left',
    'SELECT (1000 * ($1::int - extract(epoch FROM now()) % $1::int))::float8 AS ms',
  )
  const [row] = await database.run(left, [seconds])
  if (row !== undefined && row.ms < 1500) await sleep(row.ms)
}

describe('a count', () => {
  it('that is late is not waited for: this process decides alone, and later takes do not wait', async () => {
    const limit = createSharedLimit({
      name: 'slow',
      rate,
      store: { count: () => new Promise(() => undefined) },
      clock,
      onFault: () => expect.unreachable(),
    })
    const begun = performance.now()
    expect(await limit.take('a')).toBe(0)
    expect(performance.now() - begun).toBeLessThan(1000)
    expect([await limit.take('a'), await limit.take('a'), await limit.take('a')]).toEqual([0, 0, 1])
  })

  it('that fails lets go on, and is told of once until one succeeds again', async () => {
    const faults: unknown[] = []
    let isAway = true
    const count = () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(new Map()))
    const limit = createSharedLimit({
      name: 'away',
      rate: { perSecond: 1, burst: 10 },
      store: { count },
      clock,
      onFault: (error) => faults.push(error),
    })
    expect([await limit.take('a'), await limit.take('a')]).toEqual([0, 0])
    expect(faults).toHaveLength(1)
    isAway = false
    await limit.take('a')
    isAway = true
    await limit.take('a')
    expect(faults).toHaveLength(2)
  })

  it('is one statement at a time, however many callers: who comes meanwhile goes with the next', async () => {
    const asked: Record<string, number>[] = []
    const answers: (() => void)[] = []
    const count = (_limit: string, takes: ReadonlyMap<string, number>) => {
      asked.push(Object.fromEntries(takes))
      const windows = new Map(
        [...takes].map(([who, taken]): [string, RateWindow] => [who, { taken, msLeft: 900 }]),
      )
      return new Promise<ReadonlyMap<string, RateWindow>>((resolve) => answers.push(() => resolve(windows)))
    }
    const limit = createSharedLimit({
      name: 'm',
      rate,
      store: { count },
      clock,
      onFault: () => expect.unreachable(),
    })
    const first = limit.take('a')
    await sleep(1)
    const others = ['a', 'a', 'b', 'c'].map((who) => limit.take(who))
    answers.shift()?.()
    await first
    await sleep(1)
    answers.shift()?.()
    expect(await Promise.all(others)).toEqual([0, 0, 0, 0])
    expect(asked).toEqual([{ a: 1 }, { a: 2, b: 1, c: 1 }])
  })
})
