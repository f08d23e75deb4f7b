import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import * as v from 'valibot'
import type { Service } from '../../../src/service/compose.ts'
import { repeat } from '../../../src/service/platform/jobs/job.ts'

/** The processes that run jobs as a running service does: this one, and others beside it. */
export interface Workers {
  /** Their processor time since they began, in seconds. */
  seconds: () => Promise<number>
  stop: () => Promise<void>
}

interface Setting {
  connectionString: string
  /** How many there are, with this one. */
  processes: number
}

const Used = v.object({ seconds: v.number() })

/** Begins these jobs once all processes are ready. */
export async function startWorkers(
  service: Service,
  { connectionString, processes }: Setting,
  names: readonly string[],
): Promise<Workers> {
  const beside = Array.from({ length: processes - 1 }, () =>
    fork(join(import.meta.dirname, 'worker.js'), [connectionString, ...names]),
  )
  await Promise.all(beside.map((worker) => once(worker, 'message')))
  const before = process.cpuUsage()
  const running = service.jobs
    .filter(({ name }) => names.includes(name))
    .map((job) => repeat(job, (error) => console.error(error)))
  for (const worker of beside) worker.send('begin')
  return {
    async seconds() {
      const { user, system } = process.cpuUsage(before)
      const others = await Promise.all(beside.map(secondsOf))
      return (user + system) / 1e6 + others.reduce((sum, seconds) => sum + seconds, 0)
    },
    async stop() {
      const ended = beside.map((worker) => once(worker, 'exit'))
      for (const worker of beside) worker.disconnect()
      await Promise.all([...running.map((job) => job.stop()), ...ended])
    },
  }
}

async function secondsOf(worker: ChildProcess): Promise<number> {
  worker.send('seconds')
  return v.parse(Used, (await once(worker, 'message'))[0]).seconds
}
