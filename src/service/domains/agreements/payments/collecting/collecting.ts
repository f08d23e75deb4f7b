import { setTimeout as sleep } from 'node:timers/promises'
import type { Job } from '../../../../platform/jobs/job.ts'

/** Between two transactions: the processors have time for requests, and for sending what was collected. */
const PAUSE_MS = 100

/**
 * Makes the payments that are due, each due day once, some at a time, until none is; any number of processes may do so at once.
 * `collectSome` takes some due days and answers with how many.
 */
export function createCollecting(collectSome: () => Promise<number>): Required<Pick<Job, 'work' | 'abort'>> {
  let isStopped = false
  let running: Promise<void> | undefined
  async function collectAll(): Promise<void> {
    while (!isStopped && (await collectSome()) > 0) await sleep(PAUSE_MS)
  }
  return {
    /** A caller that comes while it runs waits for that run. */
    work: () => (running ??= collectAll().finally(() => (running = undefined))),
    abort() {
      isStopped = true
    },
  }
}
