import { describe, expect, it } from 'vitest'
import { batchLoader, callBatcher, singleFlight, ttlCache } from './loading.ts'

describe('a single flight', () => {
  /** Loads that end when they are told to. */
  function controlledLoads() {
    const begun: { key: string; end: (value: string) => void; fail: () => void }[] = []
    const load = singleFlight(
      (key) =>
        new Promise<string>((end, refuse) => {
          begun.push({ key, end, fail: () => refuse(new Error('gone')) })
        }),
    )
    return { begun, load }
  }

  it('gives calls during a load the next one, as this one may have begun too early', async () => {
    const { begun, load } = controlledLoads()
    const first = load('a')
    const later = [load('a'), load('a'), load('a')]
    expect(begun).toHaveLength(1)
    begun[0]?.end('old')
    expect(await first).toBe('old')
    await Promise.resolve()
    const latest = load('a')
    expect(begun).toHaveLength(2)
    begun[1]?.end('new')
    expect(await Promise.all(later)).toEqual(['new', 'new', 'new'])
    await Promise.resolve()
    expect(begun).toHaveLength(3)
    begun[2]?.end('newest')
    expect(await latest).toBe('newest')
  })

  it('lets other keys wait for nobody', () => {
    const { begun, load } = controlledLoads()
    void load('a')
    void load('b')
    expect(begun.map(({ key }) => key)).toEqual(['a', 'b'])
  })

  it('fails only the calls of the load that fails', async () => {
    const { begun, load } = controlledLoads()
    const first = load('a')
    const second = load('a')
    begun[0]?.fail()
    await expect(first).rejects.toThrow('gone')
    begun[1]?.end('back')
    expect(await second).toBe('back')
    const third = load('a')
    begun[2]?.end('again')
    expect(await third).toBe('again')
  })
})

describe('a batch loader', () => {
  function counted() {
    const loads: (readonly string[])[] = []
    const find = batchLoader((keys) => {
      loads.push(keys)
      if (keys.includes('broken')) return Promise.reject(new Error('no database'))
      return Promise.resolve(
        new Map(keys.filter((key) => key !== 'none').map((key) => [key, key.toUpperCase()])),
      )
    })
    return { loads, find }
  }

  it('loads the keys of one tick together, each once', async () => {
    const { loads, find } = counted()
    expect(await Promise.all([find('a'), find('b'), find('a'), find('none')])).toEqual(['A', 'B', 'A', null])
    expect(loads).toEqual([['a', 'b', 'none']])
  })

  it('loads a key of a later tick anew', async () => {
    const { loads, find } = counted()
    await find('a')
    await find('a')
    expect(loads).toEqual([['a'], ['a']])
  })

  it('fails all calls of a load that fails, and none after it', async () => {
    const { find } = counted()
    const ends = await Promise.allSettled([find('a'), find('broken')])
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await find('a')).toBe('A')
  })
})

it('a TTL cache never gives what is older than its time to live, however long the load took', async () => {
  let now = 0
  let loads = 0
  const cache = ttlCache({ clock: { elapsedMs: () => now }, ttlMs: 5000, maxEntries: 10 }, () => {
    now += 2000
    loads += 1
    return Promise.resolve(loads)
  })
  expect(await cache.get('a merchant')).toBe(1)
  now = 4999
  expect(await cache.get('a merchant')).toBe(1)
  now = 5000
  expect(await cache.get('a merchant')).toBe(2)
})

describe('a call batcher', () => {
  it('runs calls together that come while it is busy, and gives each its result', async () => {
    const batches: number[][] = []
    const add = callBatcher<number, number>(2, (batch) => {
      batches.push([...batch])
      return Promise.resolve((item) => item * 10)
    })
    expect(await Promise.all([1, 2, 3, 4].map(add))).toEqual([10, 20, 30, 40])
    await add(5)
    expect(batches).toEqual([[1], [2, 3], [4], [5]])
  })

  it('fails the calls of a batch that fails, and goes on', async () => {
    const add = callBatcher<string, undefined>(10, ([first]) =>
      first === 'bad' ? Promise.reject(new Error('broken')) : Promise.resolve(() => undefined),
    )
    const results = await Promise.allSettled([add('bad'), add('good')])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  })
})
