import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { afterRunning } from './running-time.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  Reflect.deleteProperty(document, 'prerendering')
})

it('calls back once, after the time, unless it is cancelled', () => {
  const [work, cancelled] = [vi.fn(), vi.fn()]
  afterRunning(1500, work)
  afterRunning(1500, cancelled)()
  vi.advanceTimersByTime(1499)
  expect(work).not.toHaveBeenCalled()
  vi.advanceTimersByTime(60_000)
  expect(work).toHaveBeenCalledOnce()
  expect(cancelled).not.toHaveBeenCalled()
  expect(vi.getTimerCount()).toBe(0)
})

it('lets no time pass while the page is prerendered', () => {
  const work = vi.fn()
  Object.defineProperty(document, 'prerendering', { value: true, configurable: true })
  afterRunning(1500, work)
  vi.advanceTimersByTime(600_000)
  Object.defineProperty(document, 'prerendering', { value: false, configurable: true })
  vi.advanceTimersByTime(1499)
  expect(work).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(work).toHaveBeenCalledOnce()
})

it('counts a time in which no script could run as one tick, whatever clocks say', () => {
  const work = vi.fn()
  const ticks: (() => void)[] = []
  vi.spyOn(globalThis, 'setInterval').mockImplementation((tick) => {
    if (typeof tick === 'function') ticks.push(() => tick())
    return setTimeout(() => undefined)
  })
  afterRunning(1000, work)
  vi.setSystemTime(Date.now() + 86_400_000)
  ticks[0]?.()
  expect(work).not.toHaveBeenCalled()
  ticks[0]?.()
  expect(work).toHaveBeenCalledOnce()
})
