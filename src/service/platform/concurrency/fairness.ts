import type { MonotonicClock } from '../clocks.ts'
import { arrayOf, integer, text } from '../database/sql-types.ts'
import type { ValuesOf } from '../database/sql-types.ts'
import { inTime } from '../in-time.ts'

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

/** How many calls of each gateway account or merchant may be under way at once: one that hangs uses up its own slots, and no others. */
export interface Bulkhead extends OutboundGauge {
  /** Takes a slot, and answers with what gives it back; null when none is left. */
  enter: (id: string) => (() => void) | null
  refused: () => number
}

interface BulkheadOptions {
  kind: string
  /** Who has slots of its own. */
  each: 'gateway' | 'merchant'
  /** Slots of each. */
  max: number
  clock: MonotonicClock
  /** Called when one of them has no slot left, and not again before half of its slots are free. */
  warn: (facts: object, words: string) => void
}

export function createBulkhead({ kind, each, max, clock, warn }: BulkheadOptions): Bulkhead {
  const holders = new Map<string, Set<{ startedAt: number }>>()
  const full = new Set<string>()
  let refused = 0
  const all = () => [...holders.values()].flatMap((calls) => [...calls])
  return {
    kind,
    enter(id) {
      const calls = holders.get(id) ?? new Set()
      if (calls.size >= max) {
        refused += 1
        if (!full.has(id))
          warn({ kind, [`${each}_id`]: id, under_way: calls.size }, 'no more calls are begun for now')
        full.add(id)
        return null
      }
      const call = { startedAt: clock.elapsedMs() }
      holders.set(id, calls.add(call))
      return () => {
        calls.delete(call)
        if (calls.size <= max / 2) full.delete(id)
        if (calls.size === 0) holders.delete(id)
      }
    },
    underWay: () => all().length,
    oldestSeconds: () => Math.max(0, ...all().map(({ startedAt }) => clock.elapsedMs() - startedAt)) / 1000,
    refused: () => refused,
  }
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

export interface FairPoolOptions {
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

export function createFairPool(settings: FairPoolOptions): FairPool {
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
function countRuns({ shares }: FairPoolOptions, runs: readonly Run[], responsiveness: Responsiveness) {
  for (const { task, waitedMs } of runs) responsiveness.seeWaiting(task, waitedMs())
  const counted = countShares(shares)
  for (const { task } of runs) counted.add(task, responsiveness.of(task.targetId))
  return counted
}

function factsOf({ kind, target }: FairPoolOptions, task: Task): object {
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

/** A piece of work that waits for another party's server. */
export interface Task {
  /** Unique among all tasks of a pool. */
  id: string
  merchantId: string
  /** What it waits for: a webhook, or a gateway account. */
  targetId: string
}

/**
 * How many tasks may be begun beside those that are under way. No bound on all of these: what turns out to be slow
 * leaves its quick slot to another task, also where it exceeds the slow ones, or those who are slow would keep out those who are not.
 * So there are at most `quick` for each time in which a task may be found slow, until its time-out, and `slow` more.
 */
export interface Shares {
  /** In all, of targets that answer quickly, and beside these of targets that don't. */
  quick: number
  slow: number
  /** Of one merchant, in each of both. */
  merchant: number
  /** For one target. */
  target: number
}

/** How a target answers: `slow` while late, or while one call after another fails; `silent` while not at all; else `quick`. */
type Speed = 'quick' | 'slow' | 'silent'

/** How much may be started now, for the query that looks for work. */
export interface Capacity {
  /** Tasks at most. */
  max: number
  /** For each target that is not listed. */
  eachTarget: number
  /** Targets with something under way, or that answer late or not at all. */
  targets: ReadonlyMap<string, number>
}

const NO_CAPACITY: Capacity = { max: 0, eachTarget: 0, targets: new Map() }

/** The last quarter of all slots is kept for merchants with fewer tasks than this under way. */
const FEW = 2
const KEPT = 4
/** For one target that answers late. One that does not answer is asked one thing at a time, until it does. */
const MAX_FOR_SLOW = 4

/** Counts what is under way, and says whether one more may be: the shares of one moment. */
function countShares(shares: Shares) {
  const counts = new Map<string, number>()
  const countOf = (key: string): number => counts.get(key) ?? 0
  const laneOf = (speed: Speed): 'quick' | 'slow' => (speed === 'quick' ? 'quick' : 'slow')
  const keysOf = ({ merchantId, targetId }: Task, speed: Speed) => {
    const lane = laneOf(speed)
    return { lane, merchant: `${lane} merchant ${merchantId}`, target: `target ${targetId}` }
  }
  const capacityFor = (speed: Speed): number => Math.max(0, shares[laneOf(speed)] - countOf(laneOf(speed)))
  return {
    add(task: Task, speed: Speed): void {
      for (const key of Object.values(keysOf(task, speed))) counts.set(key, countOf(key) + 1)
    },
    mayAdd(task: Task, speed: Speed): boolean {
      const { lane, merchant, target } = keysOf(task, speed)
      const max = shares[lane]
      const left = max - countOf(lane) - (countOf(merchant) < FEW ? 0 : Math.floor(max / KEPT))
      return left > 0 && countOf(merchant) < shares.merchant && countOf(target) < maxForTarget(shares, speed)
    },
    capacityFor,
    capacityOfTarget: (targetId: string, speed: Speed): number =>
      Math.max(0, Math.min(capacityFor(speed), maxForTarget(shares, speed) - countOf(`target ${targetId}`))),
    ofMerchant: (merchantId: string): number =>
      countOf(`quick merchant ${merchantId}`) + countOf(`slow merchant ${merchantId}`),
  }
}

function maxForTarget({ target }: Shares, speed: Speed): number {
  if (speed === 'quick') return target
  return speed === 'slow' ? Math.min(target, MAX_FOR_SLOW) : 1
}

type Counted = ReturnType<typeof countShares>

/** The capacity that there is now. `known`: targets that may have less of it than others. */
function capacityOf(
  counted: Counted,
  known: readonly string[],
  speedOf: (targetId: string) => Speed,
): Capacity {
  return {
    max: counted.capacityFor('quick') + counted.capacityFor('slow'),
    eachTarget: counted.capacityOfTarget('', 'quick'),
    targets: new Map(known.map((id) => [id, counted.capacityOfTarget(id, speedOf(id))])),
  }
}

/** How many tasks one place of a target that answers quickly may do within the next moments. */
const TASKS_AHEAD = 8

/** What may be started within the next moments. `known`: targets that may not be quick. */
function outlookOf(
  { quick, slow, target }: Shares,
  counted: Counted,
  known: readonly string[],
  speedOf: (targetId: string) => Speed,
): Capacity {
  const notQuick = known.filter((id) => speedOf(id) !== 'quick')
  const { targets } = capacityOf(counted, notQuick, speedOf)
  return { max: quick + slow, eachTarget: target * TASKS_AHEAD, targets }
}

/** A capacity as the values of a statement: of each listed target, of every other one, and in all. */
export const capacityTypes = {
  listed_targets: arrayOf(text),
  listed_capacities: arrayOf(integer),
  capacity_of_others: integer,
  capacity_in_all: integer,
}

/** The listed targets as a table of a `WITH` clause: `capacity (target_id, most)`. */
export const CAPACITY_TABLE =
  'capacity AS (SELECT * FROM unnest(:listed_targets::text[], :listed_capacities::integer[]) AS capacity (target_id, most))'

export function toCapacityValues({ targets, eachTarget, max }: Capacity): ValuesOf<typeof capacityTypes> {
  return {
    listed_targets: [...targets.keys()],
    listed_capacities: [...targets.values()],
    capacity_of_others: eachTarget,
    capacity_in_all: max,
  }
}

/**
 * Chooses which tasks begin: by turns, each time those merchants first that have the least under way, and of a merchant
 * one target after the other. `tasks`: of each target those first that are due first. What is chosen is counted.
 */
function chooseFairly<Due extends Task>(
  tasks: readonly Due[],
  counted: Counted,
  speedOf: (targetId: string) => Speed,
): Due[] {
  const chosen: Due[] = []
  const waiting = groupBy(inTurns(tasks), ({ merchantId }) => merchantId)
  let merchants = [...waiting]
  while (merchants.length > 0) {
    merchants.sort(([one], [other]) => counted.ofMerchant(one) - counted.ofMerchant(other))
    merchants = merchants.filter(([, theirs]) => {
      const at = theirs.findIndex((task) => counted.mayAdd(task, speedOf(task.targetId)))
      const [task] = at < 0 ? [] : theirs.splice(at, 1)
      if (task === undefined) return false
      counted.add(task, speedOf(task.targetId))
      chosen.push(task)
      return theirs.length > 0
    })
  }
  return chosen
}

/** The first of each target, then the second of each, and so on. */
function inTurns<Due extends Task>(tasks: readonly Due[]): Due[] {
  const byTarget = groupBy(tasks, ({ targetId }) => targetId)
  return [...byTarget.values()]
    .flatMap((ofTarget) => ofTarget.map((task, turn) => ({ task, turn })))
    .sort((one, other) => one.turn - other.turn)
    .map(({ task }) => task)
}

function groupBy<Due>(tasks: readonly Due[], keyOf: (task: Due) => string): Map<string, Due[]> {
  const groups = new Map<string, Due[]>()
  for (const task of tasks) {
    const group = groups.get(keyOf(task))
    if (group === undefined) groups.set(keyOf(task), [task])
    else group.push(task)
  }
  return groups
}

/** How targets have answered of late, as far as one process has seen it. */
interface Responsiveness {
  of: (targetId: string) => Speed
  /** Targets that are not quick, or whose last call failed. */
  noted: () => Iterable<string>
  /** A task that is still under way. */
  seeWaiting: (task: Task, waitedMs: number) => void
  /** A task that has ended, and whether it went well. */
  seeEnded: (task: Task, end: { tookMs: number; isWell: boolean }) => void
}

interface ResponsivenessOptions {
  /** How long a target is waited for, in ms: a task that took as long was not answered. */
  timeoutMs: number
  /** Called with a target that has become silent. */
  onSilent: (task: Task) => void
}

/** A target that has not answered after this long is a slow one. */
const SLOW_AFTER_MS = 2000
/** One that has failed as often as this in a row counts as slow, however quickly it fails. */
const FAILS_AFTER = 5
/** How many targets are remembered; beyond it the oldest entry is forgotten. */
const MAX_REMEMBERED = 10_000

function createResponsiveness({ timeoutMs, onSilent }: ResponsivenessOptions): Responsiveness {
  const noted = new Map<string, { speed: Speed; failures: number }>()
  const of = (targetId: string): Speed => noted.get(targetId)?.speed ?? 'quick'
  const speedAfter = (tookMs: number, failures: number): Speed => {
    if (tookMs >= SLOW_AFTER_MS) return tookMs < timeoutMs ? 'slow' : 'silent'
    return failures < FAILS_AFTER ? 'quick' : 'slow'
  }
  return {
    of,
    noted: () => noted.keys(),
    seeWaiting({ targetId }, waitedMs) {
      if (waitedMs < SLOW_AFTER_MS || of(targetId) !== 'quick') return
      noted.set(targetId, { speed: 'slow', failures: noted.get(targetId)?.failures ?? 0 })
    },
    seeEnded(task, { tookMs, isWell }) {
      const before = of(task.targetId)
      const failures = isWell ? 0 : (noted.get(task.targetId)?.failures ?? 0) + 1
      const speed = speedAfter(tookMs, failures)
      noted.delete(task.targetId)
      if (speed === 'quick' && failures === 0) return
      noted.set(task.targetId, { speed, failures })
      if (noted.size > MAX_REMEMBERED) noted.delete([...noted.keys()][0] ?? '')
      if (speed === 'silent' && before !== 'silent') onSilent(task)
    },
  }
}
