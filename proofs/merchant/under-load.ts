import { setTimeout as sleep } from 'node:timers/promises'
import type { Journal } from './journal.ts'

/** The service is killed once so many operations were acknowledged since the last kill, after a random time. */
const MIN_LOAD = 24
const MAX_LATER_MS = 300
const MAX_WAIT_MS = 30_000

/** Waits for a moment at which the shop's clients are at work, for `maxWaitMs` at most. */
export async function underLoad({ acknowledged }: Journal, maxWaitMs = MAX_WAIT_MS): Promise<void> {
  const begun = acknowledged.size
  const end = performance.now() + maxWaitMs
  while (acknowledged.size < begun + MIN_LOAD) {
    if (performance.now() > end)
      throw new Error(`there is no load: ${acknowledged.size - begun} operations in ${maxWaitMs / 1000} s`)
    await sleep(10)
  }
  await sleep(Math.random() * MAX_LATER_MS)
}
