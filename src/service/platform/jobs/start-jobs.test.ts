import { beforeEach, expect, it } from 'vitest'
import { lookTogether } from './start-jobs.ts'
import type { Job } from './repeat.ts'

const told: string[] = []
beforeEach(() => {
  told.length = 0
})
const tell = (name: string) => (error: unknown) => {
  told.push(`${name}: ${String(error)}`)
}

/** Two jobs with one look, which finds what `due` says, and one without; `done`: the names of those that were begun. */
function openJobs(due: () => Promise<readonly string[]>) {
  const done: string[] = []
  const work = (name: string) => () => {
    done.push(name)
    return Promise.resolve()
  }
  const jobs: Job[] = [
    { name: 'one', everyMs: 200, work: work('one'), look: due },
    { name: 'alone', everyMs: 100, work: work('alone') },
    { name: 'two', everyMs: 300, work: work('two'), look: due },
  ]
  return { jobs, done }
}

it('asks once for jobs that have the same look, and begins those that have something to do', async () => {
  let looks = 0
  const { jobs, done } = openJobs(() => {
    looks += 1
    return Promise.resolve(['two'])
  })
  const [both, alone, ...others] = lookTogether(jobs, tell)
  expect([both?.everyMs, alone?.name, others]).toEqual([200, 'alone', []])
  await both?.work()
  expect([looks, done]).toEqual([1, ['two']])
})

it('begins none again that is under way, and keeps no other waiting', async () => {
  let end: () => void = () => undefined
  const { jobs, done } = openJobs(() => Promise.resolve(['one', 'two']))
  const [first, ...rest] = jobs
  const hung = {
    ...first,
    name: 'one',
    everyMs: 200,
    work: () => new Promise<void>((resolve) => (end = resolve)),
  }
  const [both] = lookTogether([hung, ...rest], tell)
  await both?.work()
  await both?.work()
  await both?.work()
  expect(done).toEqual(['two', 'two', 'two'])
  end()
  await both?.finish?.()
})

it('lets each job look for itself where the look fails, and tells why', async () => {
  const { jobs, done } = openJobs(() => Promise.reject(new Error('broken')))
  await lookTogether(jobs, tell)[0]?.work()
  expect(done).toEqual(['one', 'two'])
  expect(told).toEqual(['one, two: Error: broken'])
})

it('tells which of them failed', async () => {
  const { jobs } = openJobs(() => Promise.resolve(['one', 'two']))
  const [first, ...rest] = jobs
  const failing: Job = {
    ...first,
    name: 'one',
    everyMs: 200,
    work: () => Promise.reject(new Error('broken')),
  }
  const [both] = lookTogether([failing, ...rest], tell)
  await both?.work()
  await both?.finish?.()
  expect(told).toEqual(['one: Error: broken'])
})

it('stops them all: what is under way is aborted, waited for, and finished', async () => {
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
  const [both] = lookTogether(second === undefined ? [hung] : [hung, second], tell)
  await both?.work()
  both?.abort?.()
  await both?.finish?.()
  expect(steps).toEqual(['aborted', 'ended', 'finished'])
})
