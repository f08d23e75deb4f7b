import type { Job, Look } from './repeat.ts'

/**
 * Jobs, where those that have the same `look` are one that is done as often as the first of them: it looks, and begins each that has
 * something to do and is not under way. None waits for another. Where the look fails, each sees for itself. `tell` hears which job failed.
 */
export function lookTogether(jobs: readonly Job[], tell: (job: Job) => (error: unknown) => void): Job[] {
  const looks = new Set(jobs.map(({ look }) => look))
  return [...looks].flatMap((look) => {
    const those = jobs.filter((job) => job.look === look)
    return look === undefined ? those : [behind(look, those, tell)]
  })
}

function behind(look: Look, jobs: readonly Job[], tell: (job: Job) => (error: unknown) => void): Job {
  const running = new Map<Job, Promise<unknown>>()
  const tellOf = new Map(jobs.map((job) => [job, tell(job)]))
  const begin = (job: Job) => {
    const run = job
      .work()
      .catch(tellOf.get(job))
      .finally(() => running.delete(job))
    running.set(job, run)
  }
  return {
    name: jobs.map(({ name }) => name).join(', '),
    everyMs: Math.min(...jobs.map(({ everyMs }) => everyMs)),
    async work() {
      const due = await look().catch(() => null)
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
