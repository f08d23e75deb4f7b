/** Tells which of several jobs have something to do, by their names. */
export type Look = () => Promise<readonly string[]>

/** Something to be done in the background, again and again. */
export interface Job {
  name: string
  everyMs: number
  work: () => Promise<unknown>
  /** What is asked before each run, once for all jobs that have the same. Without it each run sees by itself whether there is work. */
  look?: Look
  /** Waits for what a run has started and left running. */
  finish?: () => Promise<unknown>
  /** Ends what may be ended of it: whoever stops does not wait for somebody else's server. */
  abort?: () => void
}

/** A job that is being done. */
export interface RunningJob {
  /** Waits for the run that is under way, and for what it has started. */
  stop: () => Promise<void>
}

/** Does a job after `firstAfterMs` and then `everyMs` after each run has ended; one run never overlaps another. */
export function repeat(
  { everyMs, work, finish, abort }: Job,
  onError: (error: unknown) => void,
  firstAfterMs = 0,
): RunningJob {
  let isStopped = false
  let current = Promise.resolve()
  let timer = runAfter(firstAfterMs)

  function runAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      current = run()
    }, ms)
  }

  async function run(): Promise<void> {
    await work().catch(onError)
    if (!isStopped) timer = runAfter(everyMs)
  }

  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      abort?.()
      await current
      await finish?.().catch(onError)
    },
  }
}
