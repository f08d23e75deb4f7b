import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { inTime } from './in-time.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const after = (ms: number) => new Promise<string>((resolve) => setTimeout(() => resolve('done'), ms))

describe('waiting in time', () => {
  it('ends with the work, and leaves no timer', async () => {
    const whenLate = vi.fn(() => 'late')
    const ended = inTime(after(5), 10, whenLate)
    await vi.advanceTimersByTimeAsync(5)
    expect(await ended).toBe('done')
    expect(vi.getTimerCount()).toBe(0)
    await expect(inTime(Promise.reject(new Error('no')), 10, whenLate)).rejects.toThrow('no')
    expect(vi.getTimerCount()).toBe(0)
    expect(whenLate).not.toHaveBeenCalled()
  })

  it('ends at its time with what stands in for the work, whatever becomes of that', async () => {
    const failing = after(20).then(() => Promise.reject(new Error('unheard')))
    const ended = inTime(failing, 10, () => 'late')
    await vi.advanceTimersByTimeAsync(10)
    expect(await ended).toBe('late')
    await vi.advanceTimersByTimeAsync(10)
  })

  it('fails at its time where nothing can stand in', async () => {
    const refused = expect(
      inTime(after(20), 10, () => {
        throw new Error('too late')
      }),
    ).rejects.toThrow('too late')
    await vi.advanceTimersByTimeAsync(20)
    await refused
  })
})
