import { EventEmitter, once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RunningService } from '../start-service.ts'
import { stopWhenAsked } from './stop-when-asked.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A service that starts, drains and stops when it is told to, and what became of its process. */
function makeProcess({ isWorker = false, hasTerminal = false } = {}) {
  const self = new EventEmitter()
  const exits: string[] = []
  const hurried: boolean[] = []
  const told = new EventEmitter()
  const started = once(told, 'start').then(() => service)
  const stopped = once(told, 'stop')
  const service: RunningService = {
    drain: (hurry) =>
      new Promise((resolve) => {
        const leave = () => {
          hurried.push(hurry.aborted)
          resolve()
        }
        hurry.addEventListener('abort', leave)
        setTimeout(leave, 5000)
      }),
    stop: async () => {
      await stopped
    },
  }
  const exit = (fault?: unknown) => exits.push(fault instanceof Error ? fault.message : 'well')
  stopWhenAsked({ self, isWorker, hasTerminal, started, exit })
  return {
    listensFor: (signal: string) => self.listenerCount(signal) > 0,
    ask: (signal: string, message?: string) => self.emit(signal, message),
    start: () => told.emit('start'),
    stop: () => told.emit('stop'),
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
    exits,
    hurried,
  }
}

describe('a process that is asked to stop', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGQUIT', 'disconnect'])(
    'drains, stops and ends well: %s',
    async (signal) => {
      const { ask, start, stop, pass, exits, hurried } = makeProcess()
      start()
      ask(signal)
      await pass(5000)
      expect([hurried, exits]).toEqual([[false], []])
      stop()
      await pass(0)
      expect(exits).toEqual(['well'])
    },
  )

  it('ends with its terminal, and is not ended by a SIGHUP elsewhere', async () => {
    const [inTerminal, elsewhere] = [makeProcess({ hasTerminal: true }), makeProcess()]
    for (const { start, ask, stop } of [inTerminal, elsewhere]) {
      start()
      ask('SIGHUP')
      stop()
    }
    await inTerminal.pass(10_000)
    expect([inTerminal.exits, elsewhere.exits]).toEqual([['well'], []])
  })

  it.each(['SIGHUP', 'SIGUSR2'])('listens for %s, which would end it at once otherwise', (signal) => {
    expect(makeProcess().listensFor(signal)).toBe(true)
  })

  it('does not drain to the end when it is asked twice', async () => {
    const { ask, start, stop, pass, exits, hurried } = makeProcess()
    start()
    ask('SIGTERM')
    await pass(100)
    ask('SIGTERM')
    stop()
    await pass(0)
    expect([hurried, exits]).toEqual([[true], ['well']])
  })

  it('starts first, where it is still starting', async () => {
    const { ask, start, stop, pass, exits } = makeProcess()
    ask('SIGTERM')
    await pass(10_000)
    expect(exits).toEqual([])
    start()
    stop()
    await pass(5000)
    expect(exits).toEqual(['well'])
  })

  it('ends at once when it is asked twice while it is starting', async () => {
    const { ask, pass, exits } = makeProcess()
    ask('SIGINT')
    await pass(100)
    ask('SIGINT')
    expect(exits).toEqual(['stopped before it had started'])
  })

  it('waits for 30 s at most until it has started', async () => {
    const { ask, pass, exits } = makeProcess()
    ask('SIGTERM')
    await pass(30_000)
    expect(exits).toEqual(['stopped before it had started'])
  })

  it('ends with a fault when stopping takes too long', async () => {
    const { ask, start, pass, exits } = makeProcess()
    start()
    ask('SIGTERM')
    await pass(35_000)
    expect(exits).toEqual(['stopping took too long'])
  })

  it('is hurried by its parent alone, where it is one of several', async () => {
    const { ask, start, pass, hurried } = makeProcess({ isWorker: true })
    start()
    ask('message', 'stop')
    ask('SIGINT')
    ask('SIGINT')
    await pass(100)
    expect(hurried).toEqual([])
    ask('message', 'hurry')
    expect(hurried).toEqual([true])
  })
})
