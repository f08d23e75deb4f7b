import type { Logger } from 'pino'
import { monotonicClock } from '../clocks.ts'
import type { MonotonicClock } from '../clocks.ts'

/** Names those of several jobs that have something to do. */
export type WorkCheck = () => Promise<readonly string[]>

/** Something to be done in the background, again and again. */
export interface Job {
  name: string
  everyMs: number
  work: () => Promise<unknown>
  /** Runs before each run, once for all jobs that share it. Without it each run finds out by itself whether there is work. */
  workCheck?: WorkCheck
  /** Waits for what a run has started and left running. */
  finish?: () => Promise<unknown>
  /** Ends what may be ended of it: a stop does not wait for another party's server. */
  abort?: () => void
}

/** A job that is being repeated. */
export interface RunningJob {
  /** Waits for the current run, and for what it has started. */
  stop: () => Promise<void>
}

/** Delay between the starts of two jobs, in ms: started together, each would open a connection to the database. */
const SPACING_MS = 10

/** Starts all jobs; failures are logged. */
export function startJobs(jobs: readonly Job[], log: Logger): RunningJob[] {
  const failuresOf = (name: string) =>
    dedupeErrors((error, suppressedCount) => {
      const facts = { err: error, job: name, ...(suppressedCount > 0 && { untold: suppressedCount }) }
      log.error(facts, 'a background job failed')
    }, monotonicClock)
  const repeated = shareWorkChecks(jobs, failuresOf)
  return repeated.map((job, index) => repeat(job, failuresOf(job.name), index * SPACING_MS))
}

type OnError = (error: unknown) => void

/**
 * Makes jobs with the same `workCheck` one job, done as often as the most frequent of them: it checks, and starts each that has something
 * to do and is not running. None waits for another. If the check fails, every one of them runs.
 */
export function shareWorkChecks(jobs: readonly Job[], onErrorOf: (name: string) => OnError): Job[] {
  const checks = new Set(jobs.map(({ workCheck }) => workCheck))
  return [...checks].flatMap((check) => {
    const sharing = jobs.filter((job) => job.workCheck === check)
    return check === undefined ? sharing : [asOneJob(check, sharing, onErrorOf)]
  })
}

function asOneJob(check: WorkCheck, jobs: readonly Job[], onErrorOf: (name: string) => OnError): Job {
  const name = jobs.map((job) => job.name).join(', ')
  const onCheckError = onErrorOf(name)
  const onJobError = new Map(jobs.map((job) => [job, onErrorOf(job.name)]))
  const running = new Map<Job, Promise<unknown>>()
  const start = (job: Job) => {
    const run = job
      .work()
      .catch(onJobError.get(job))
      .finally(() => running.delete(job))
    running.set(job, run)
  }
  return {
    name,
    everyMs: Math.min(...jobs.map(({ everyMs }) => everyMs)),
    async work() {
      const due = await check().catch((error: unknown) => {
        onCheckError(error)
        return null
      })
      for (const job of jobs) if (!running.has(job) && (due === null || due.includes(job.name))) start(job)
    },
    async finish() {
      await Promise.all(running.values())
      await Promise.all(jobs.map(async (job) => job.finish?.().catch(onJobError.get(job))))
    },
    abort() {
      for (const { abort } of jobs) abort?.()
    },
  }
}

/** Runs a job after `firstAfterMs`, and then `everyMs` after each run has ended; runs never overlap. */
function repeat({ everyMs, work, finish, abort }: Job, onError: OnError, firstAfterMs: number): RunningJob {
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

/** The same error is reported again after this long. */
const AGAIN_AFTER_MS = 60_000

/**
 * Reports an error that is the same as the last one once a minute only, with how many were suppressed in between: a database that is away
 * fails each job several times a second.
 */
export function dedupeErrors(
  report: (error: unknown, suppressedCount: number) => void,
  clock: MonotonicClock,
): OnError {
  let last: { words: string; at: number } | null = null
  let suppressedCount = 0
  return (error) => {
    const words = String(error)
    const now = clock.elapsedMs()
    if (last?.words !== words) suppressedCount = 0
    else if (now - last.at < AGAIN_AFTER_MS) {
      suppressedCount += 1
      return
    }
    report(error, suppressedCount)
    last = { words, at: now }
    suppressedCount = 0
  }
}
