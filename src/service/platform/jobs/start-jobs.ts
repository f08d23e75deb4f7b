import type { Logger } from 'pino'
import { monotonicClock } from '../clocks.ts'
import { repeat } from './repeat.ts'
import type { Job, Look, RunningJob } from './repeat.ts'
import { tellFailures } from './tell-failures.ts'

/** Delay between the starts of two jobs, in ms: started together, each would open a connection to the database. */
const SPACING_MS = 10

/** Begins to do all jobs; what fails is logged. */
export function startJobs(jobs: readonly Job[], log: Logger): RunningJob[] {
  const failuresOf = (name: string) =>
    tellFailures((error, untold) => {
      log.error({ err: error, job: name, ...(untold > 0 && { untold }) }, 'a background job failed')
    }, monotonicClock)
  const repeated = lookTogether(jobs, failuresOf)
  return repeated.map((job, index) => repeat(job, failuresOf(job.name), index * SPACING_MS))
}

/** Hears why something failed, by its name. */
type Tell = (name: string) => (error: unknown) => void

/**
 * The same jobs, but those that have the same `look` are one job, which is done as often as the most frequent of them: it looks, and begins
 * each that has something to do and is not under way. None waits for another. Where the look fails, each job looks for itself.
 */
export function lookTogether(jobs: readonly Job[], tell: Tell): Job[] {
  const looks = new Set(jobs.map(({ look }) => look))
  return [...looks].flatMap((look) => {
    const those = jobs.filter((job) => job.look === look)
    return look === undefined ? those : [asOneJob(look, those, tell)]
  })
}

function asOneJob(look: Look, jobs: readonly Job[], tell: Tell): Job {
  const name = jobs.map((job) => job.name).join(', ')
  const tellLook = tell(name)
  const tellOf = new Map(jobs.map((job) => [job, tell(job.name)]))
  const running = new Map<Job, Promise<unknown>>()
  const begin = (job: Job) => {
    const run = job
      .work()
      .catch(tellOf.get(job))
      .finally(() => running.delete(job))
    running.set(job, run)
  }
  return {
    name,
    everyMs: Math.min(...jobs.map(({ everyMs }) => everyMs)),
    async work() {
      const due = await look().catch((error: unknown) => {
        tellLook(error)
        return null
      })
      for (const job of jobs) if (!running.has(job) && (due === null || due.includes(job.name))) begin(job)
    },
    async finish() {
      await Promise.all(running.values())
      await Promise.all(jobs.map(async (job) => job.finish?.().catch(tellOf.get(job))))
    },
    abort() {
      for (const { abort } of jobs) abort?.()
    },
  }
}
