import type { Logger } from 'pino'
import { monotonicClock } from '../clocks.ts'
import { lookTogether } from './look-together.ts'
import { repeat } from './repeat.ts'
import type { Job, RunningJob } from './repeat.ts'
import { tellFailures } from './tell-failures.ts'

/** Delay between the starts of two jobs, in ms: started together, each would open a connection to the database. */
const SPACING_MS = 10

/** Begins to do all jobs; what fails is logged. */
export function startJobs(jobs: readonly Job[], log: Logger): RunningJob[] {
  const failuresOf = ({ name }: Job) =>
    tellFailures((error, untold) => {
      log.error({ err: error, job: name, ...(untold > 0 && { untold }) }, 'a background job failed')
    }, monotonicClock)
  const repeated = lookTogether(jobs, failuresOf)
  return repeated.map((job, index) => repeat(job, failuresOf(job), index * SPACING_MS))
}
