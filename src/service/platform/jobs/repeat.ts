/** Something to be done in the background, again and again. */
export interface Chore {
  name: string
  everyMs: number
  work: () => Promise<unknown>
  /** Waits for what a run has started and left running. */
  finish?: () => Promise<unknown>
  /** Ends what may be ended of it: whoever stops does not wait for somebody else's server. */
  abort?: () => void
}

/** A chore that is being done. */
interface Job {
  /** Waits for the run that is under way, and for what it has started. */
  stop: () => Promise<void>
}

/** Does a chore at once and then `everyMs` after each run has ended; one run never overlaps another. */
export function repeat({ everyMs, work, finish, abort }: Chore, onError: (error: unknown) => void): Job {
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
