import type { MonotonicClock } from '../clocks.ts'
import { inTime } from '../in-time.ts'
import { NO_CAPACITY, capacityOf, chooseFairly, countShares, outlookOf } from './fair-shares.ts'
import type { Capacity, Shares, Task } from './fair-shares.ts'
import { createResponsiveness } from './responsiveness.ts'
import type { Responsiveness } from './responsiveness.ts'

/** Calls under way to other parties' servers, for the operator to see. */
export interface OutboundGauge {
  /** Its name in metrics and log lines. */
  kind: string
  underWay: () => number
  /** How long the oldest has been under way; 0 when nothing is. */
  oldestSeconds: () => number
  /** Counts calls that were refused because their share was used up, but not those that wait for it. */
  refused?: () => number
}

/**
 * Runs many tasks at once that wait for other parties' servers. Each merchant and each target has a share. Slow or silent targets
 * share a smaller pool of their own, so that however many never answer, the others have capacity.
 */
export interface FairPool extends OutboundGauge {
  capacity: () => Capacity
  /** How much can be started soon: for targets that answer quickly, several times what is under way. */
  outlook: () => Capacity
  /** Which of these may begin now; of each target those first that are due first. */
  choose: <Due extends Task>(tasks: readonly Due[]) => Due[]
  /**
   * Starts a task and returns at once. `work` resolves with whether it went well, or null where its target was not asked; its `signal` is
   * aborted when it must end. What lies before `prepared`, where it is given, says nothing about how quickly the target answers.
   */
  start: (
    task: Task,
    work: (signal: AbortSignal) => Promise<boolean | null>,
    prepared?: Promise<unknown>,
  ) => void
  /** Waits until so many more tasks have ended, or nothing is under way, `maxMs` at most. */
  untilEnded: (tasks: number, maxMs: number) => Promise<void>
  /** Waits for all that is under way. */
  finish: () => Promise<void>
  /** Aborts all that is under way, and begins no more. */
  abort: () => void
}

interface Settings {
  kind: string
  /** What a target is, such as `webhook`: log lines name it. */
  target: string
  shares: Shares
  /** How long a target is waited for, in ms: a task that took as long was not answered. */
  timeoutMs: number
  /** When a task must have ended, in ms; one that has not is aborted, logged, and no longer counted although it may go on. */
  deadlineMs: number
  clock: MonotonicClock
  warn: (facts: object, words: string) => void
  onFault: (error: unknown) => void
}

interface Run {
  task: Task
  startedAt: number
  /** How long its target has been asked, in ms. */
  waitedMs: () => number
  controller: AbortController
  ended: Promise<void>
}

export function createFairPool(settings: Settings): FairPool {
  const { kind, timeoutMs, deadlineMs, clock, warn, onFault } = settings
  const runs = new Map<string, Run>()
  const responsiveness = createResponsiveness({
    timeoutMs,
    onSilent: (task) =>
      warn(factsOf(settings, task), 'no answer in time: asked one thing at a time from now on'),
  })
  const count = () => countRuns(settings, [...runs.values()], responsiveness)
  let isAborted = false
  const ends = watchEnds(() => runs.size === 0)

  return {
    kind,
    capacity() {
      if (isAborted) return NO_CAPACITY
      const known = [...runs.values()].map(({ task }) => task.targetId)
      return capacityOf(count(), [...known, ...responsiveness.noted()], responsiveness.of)
    },
    outlook() {
      if (isAborted) return NO_CAPACITY
      return outlookOf(settings.shares, count(), [...responsiveness.noted()], responsiveness.of)
    },
    choose(tasks) {
      if (isAborted) return []
      const fresh = tasks.filter(({ id }) => !runs.has(id))
      return chooseFairly(fresh, count(), responsiveness.of)
    },
    start(task, work, prepared) {
      const controller = new AbortController()
      if (isAborted) controller.abort()
      const startedAt = clock.elapsedMs()
      const waitedMs = measureWait(clock, prepared)
      const done = work(controller.signal).catch((error: unknown) => {
        onFault(error)
        return false
      })
      const ended = inTime(done, deadlineMs, () => {
        controller.abort()
        warn(factsOf(settings, task), 'a task takes too long and is no longer waited for')
        return false
      }).then((isWell) => {
        runs.delete(task.id)
        ends.tell()
        if (isAborted || isWell === null) return
        responsiveness.seeEnded(task, { tookMs: waitedMs(), isWell })
      })
      runs.set(task.id, { task, startedAt, waitedMs, controller, ended })
    },
    untilEnded: ends.untilEnded,
    finish: () => Promise.all([...runs.values()].map(({ ended }) => ended)).then(() => undefined),
    abort() {
      isAborted = true
      for (const { controller } of runs.values()) controller.abort()
    },
    underWay: () => runs.size,
    oldestSeconds: () =>
      Math.max(0, ...[...runs.values()].map(({ startedAt }) => clock.elapsedMs() - startedAt)) / 1000,
  }
}

/** Says how long it is, in ms, since `prepared` came, or since now where nothing is prepared. */
function measureWait(clock: MonotonicClock, prepared: Promise<unknown> | undefined): () => number {
  let askedAt = prepared === undefined ? clock.elapsedMs() : null
  prepared?.then(
    () => (askedAt = clock.elapsedMs()),
    () => undefined,
  )
  return () => (askedAt === null ? 0 : clock.elapsedMs() - askedAt)
}

/** Counts what is under way, by how its targets answer now. */
function countRuns({ shares }: Settings, runs: readonly Run[], responsiveness: Responsiveness) {
  for (const { task, waitedMs } of runs) responsiveness.seeWaiting(task, waitedMs())
  const counted = countShares(shares)
  for (const { task } of runs) counted.add(task, responsiveness.of(task.targetId))
  return counted
}

function factsOf({ kind, target }: Settings, task: Task): object {
  return { kind, merchant_id: task.merchantId, [`${target}_id`]: task.targetId, task: task.id }
}

/** Lets others wait for tasks to end. */
function watchEnds(areAllOver: () => boolean): Pick<FairPool, 'untilEnded'> & { tell: () => void } {
  const watching = new Set<() => void>()
  return {
    tell: () => watching.forEach((see) => see()),
    async untilEnded(tasks, maxMs) {
      if (areAllOver()) return
      let left = tasks
      let see: () => void = () => undefined
      const ended = new Promise<void>((resolve) => {
        see = () => {
          left -= 1
          if (left <= 0 || areAllOver()) resolve()
        }
      })
      watching.add(see)
      await inTime(ended, maxMs, () => undefined)
      watching.delete(see)
    },
  }
}
