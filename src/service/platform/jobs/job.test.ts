import { beforeEach, expect, it } from 'vitest'
import { dedupeErrors, shareWorkChecks } from './job.ts'
import type { Job } from './job.ts'

const told: string[] = []
beforeEach(() => {
  told.length = 0
})
const tell = (name: string) => (error: unknown) => {
  told.push(`${name}: ${String(error)}`)
}

/** Two jobs that share a check, which gives what `due` says, and one without; `done`: the names of those started. */
function openJobs(due: () => Promise<readonly string[]>) {
  const done: string[] = []
  const work = (name: string) => () => {
    done.push(name)
    return Promise.resolve()
  }
  const jobs: Job[] = [
    { name: 'one', everyMs: 200, work: work('one'), workCheck: due },
    { name: 'alone', everyMs: 100, work: work('alone') },
    { name: 'two', everyMs: 300, work: work('two'), workCheck: due },
  ]
  return { jobs, done }
}

it('checks once for jobs that share a check, and starts those with work', async () => {
  let checks = 0
  const { jobs, done } = openJobs(() => {
    checks += 1
    return Promise.resolve(['two'])
  })
  const [both, alone, ...others] = shareWorkChecks(jobs, tell)
  expect([both?.everyMs, alone?.name, others]).toEqual([200, 'alone', []])
  await both?.work()
  expect([checks, done]).toEqual([1, ['two']])
})

it('starts no job that is running, and keeps no other waiting', async () => {
  let end: () => void = () => undefined
  const { jobs, done } = openJobs(() => Promise.resolve(['one', 'two']))
  const [first, ...rest] = jobs
  const hung = {
    ...first,
    name: 'one',
    everyMs: 200,
    work: () => new Promise<void>((resolve) => (end = resolve)),
  }
  const [both] = shareWorkChecks([hung, ...rest], tell)
  await both?.work()
  await both?.work()
  await both?.work()
  expect(done).toEqual(['two', 'two', 'two'])
  end()
  await both?.finish?.()
})

it('runs every job if the check fails, and reports why', async () => {
  const { jobs, done } = openJobs(() => Promise.reject(new Error('broken')))
  await shareWorkChecks(jobs, tell)[0]?.work()
  expect(done).toEqual(['one', 'two'])
  expect(told).toEqual(['one, two: Error: broken'])
})

it('reports which job failed', async () => {
  const { jobs } = openJobs(() => Promise.resolve(['one', 'two']))
  const [first, ...rest] = jobs
  const failing: Job = {
    ...first,
    name: 'one',
    everyMs: 200,
    work: () => Promise.reject(new Error('broken')),
  }
  const [both] = shareWorkChecks([failing, ...rest], tell)
  await both?.work()
  await both?.finish?.()
  expect(told).toEqual(['one: Error: broken'])
})

it('aborts, waits for and finishes what runs when it stops', async () => {
  const steps: string[] = []
  let end: () => void = () => undefined
  const { jobs } = openJobs(() => Promise.resolve(['one']))
  const [first, , second] = jobs
  const hung: Job = {
    ...first,
    name: 'one',
    everyMs: 200,
    work: () => new Promise<void>((resolve) => (end = resolve)).then(() => void steps.push('ended')),
    abort: () => {
      steps.push('aborted')
      end()
    },
    finish: () => Promise.resolve(steps.push('finished')),
  }
  const [both] = shareWorkChecks(second === undefined ? [hung] : [hung, second], tell)
  await both?.work()
  both?.abort?.()
  await both?.finish?.()
  expect(steps).toEqual(['aborted', 'ended', 'finished'])
})

it('reports the same error once a minute with a count, and another error at once', () => {
  let now = 0
  const told: [string, number][] = []
  const tell = dedupeErrors(
    (error, suppressedCount) => told.push([error instanceof Error ? error.message : '', suppressedCount]),
    { elapsedMs: () => now },
  )
  for (let times = 0; times < 240; times += 1) {
    tell(new Error('away'))
    now += 250
  }
  expect(told).toEqual([['away', 0]])
  tell(new Error('away'))
  tell(new Error('broken'))
  tell(new Error('away'))
  tell(new Error('away'))
  tell(new Error('broken'))
  expect(told.slice(1)).toEqual([
    ['away', 239],
    ['broken', 0],
    ['away', 0],
    ['broken', 0],
  ])
})
