import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a call needs of the runtime that it runs on. */
export interface Runtime {
  fetch: typeof globalThis.fetch
  /** In ms, from any start: only differences are used. */
  now: () => number
  /** Resolves after so many ms; rejects with the signal's reason. */
  wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  /** From 0 to 1. */
  random: () => number
  createKey: () => string
}

export const nodeRuntime: Runtime = {
  fetch: (url, init) => globalThis.fetch(url, init),
  now: () => performance.now(),
  async wait(ms, signal) {
    signal?.throwIfAborted()
    try {
      await sleep(ms, undefined, signal === undefined ? {} : { signal })
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    }
  },
  random: Math.random,
  createKey: randomUUID,
}
