import { describe, expect, it } from 'vitest'
import { createEventFeed, ReadFailed } from './listen.ts'

const START = Date.parse('2026-11-22T10:00:00.000Z')
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString()

/** A service with these events: `[id, seconds]`. It answers two to a page, newest first. */
function serviceWith(events: [string, number][]) {
  const state = { events, isAway: false, reads: 0 }
  const feed = createEventFeed((query) => {
    state.reads += 1
    if (state.isAway) return Promise.reject(new ReadFailed('away', false))
    const from = query['created_at.from'] ?? ''
    const found = state.events
      .map(([id, seconds]) => ({ _id: id, type: 'charge.captured', timestamp: at(seconds), data: {} }))
      .filter(({ timestamp }) => timestamp >= from)
      .sort((one, other) => (one.timestamp < other.timestamp ? 1 : -1))
    const start = Number(query['cursor'] ?? 0)
    const end = start + Math.min(2, Number(query['limit']))
    const next = end < found.length ? String(end) : null
    return Promise.resolve({ events: found.slice(start, end), next, answeredAt: 7 })
  })
  const next = async () => (await feed.next()).events.map(({ _id }) => _id)
  return { state, feed, next }
}

describe('the feed of events', () => {
  it('begins with what happens from now on, in its order, each once', async () => {
    const { state, feed, next } = serviceWith([
      ['a', 0],
      ['b', 1],
    ])
    await feed.begin()
    expect(await next()).toEqual([])
    state.events.push(['c', 2], ['d', 3], ['e', 4], ['f', 4.5])
    expect(await next()).toEqual(['c', 'd', 'e', 'f'])
    expect(await next()).toEqual([])
    expect((await feed.next()).at).toBe(7)
  })

  it('begins where nothing has happened yet', async () => {
    const { state, feed, next } = serviceWith([])
    await feed.begin()
    expect(await next()).toEqual([])
    state.events.push(['a', 1])
    expect(await next()).toEqual(['a'])
    expect(await next()).toEqual([])
  })

  it('has an event that comes to stand behind a newer one', async () => {
    const { state, feed, next } = serviceWith([['a', 0]])
    await feed.begin()
    state.events.push(['c', 20])
    expect(await next()).toEqual(['c'])
    state.events.push(['b', 6])
    expect(await next()).toEqual(['b'])
    expect(await next()).toEqual([])
  })

  it('asks for nothing that is long past', async () => {
    const old = Array.from({ length: 100 }, (_, place): [string, number] => [`o${place}`, -60 - place])
    const { state, feed, next } = serviceWith([...old, ['a', 0]])
    await feed.begin()
    state.reads = 0
    await next()
    expect(state.reads).toBe(1)
  })

  it('makes up for a read that has failed', async () => {
    const { state, feed, next } = serviceWith([['a', 0]])
    await feed.begin()
    state.events.push(['b', 100], ['c', 200])
    state.isAway = true
    await expect(feed.next()).rejects.toThrow('away')
    state.isAway = false
    expect(await next()).toEqual(['b', 'c'])
  })
})
