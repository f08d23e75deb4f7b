import { setTimeout as sleep } from 'node:timers/promises'
import type { Journal } from './journal.ts'

/** The service is killed once so many operations were acknowledged since the last kill, after a random time. */
const MIN_LOAD = 24
const MAX_LATER_MS = 300
const MAX_WAIT_MS = 30_000

/** Waits for a moment at which the shop's clients are at work. */
export async function underLoad({ acknowledged }: Journal): Promise<void> {
  const enough = acknowledged.size + MIN_LOAD
  for (let waited = 0; acknowledged.size < enough; waited += 10) {
    if (waited > MAX_WAIT_MS) throw new Error('there is no load')
    await sleep(10)
  }
  await sleep(Math.random() * MAX_LATER_MS)
}
