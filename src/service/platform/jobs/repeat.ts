/** Something to be done in the background, again and again. */
export interface Job {
  name: string
  everyMs: number
  work: () => Promise<unknown>
  /** Waits for what a run has started and left running. */
  finish?: () => Promise<unknown>
  /** Ends what may be ended of it: whoever stops does not wait for somebody else's server. */
  abort?: () => void
}

/** A job that is being done. */
interface RunningJob {
  /** Waits for the run that is under way, and for what it has started. */
  stop: () => Promise<void>
}

/** Does a job at once and then `everyMs` after each run has ended; one run never overlaps another. */
export function repeat({ everyMs, work, finish, abort }: Job, onError: (error: unknown) => void): RunningJob {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let current = run()

  async function run(): Promise<void> {
    await work().catch(onError)
    if (isStopped) return
    timer = setTimeout(() => {
      current = run()
    }, everyMs)
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
