import { afterEach, expect, it, vi } from 'vitest'
import { createJournal } from '../merchant/journal.ts'
import { createTimeline } from './timeline.ts'

afterEach(() => vi.useRealTimers())

it('tells the longest time without an acknowledgement since a moment', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const { journal, longestGapSince } = createTimeline(createJournal())
  const payAfter = (ms: number, order: string) => {
    vi.advanceTimersByTime(ms)
    journal.acknowledge(`${order} sale 100`, order, 'complete')
  }
  payAfter(9000, 'a')
  const begin = performance.now()
  payAfter(300, 'b')
  payAfter(700, 'c')
  payAfter(100, 'd')
  expect(longestGapSince(begin)).toBe(700)
  vi.advanceTimersByTime(800)
  expect(longestGapSince(begin)).toBe(800)
  expect([...journal.acknowledged]).toHaveLength(4)
})
