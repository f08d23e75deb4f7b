import { arrayOf, integer, text } from '../database/sql-types.ts'
import type { ValuesOf } from '../database/sql-types.ts'

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
export type Speed = 'quick' | 'slow' | 'silent'

/** How much may be started now, for the query that looks for work. */
export interface Capacity {
  /** Tasks at most. */
  max: number
  /** For each target that is not listed. */
  eachTarget: number
  /** Targets with something under way, or that answer late or not at all. */
  targets: ReadonlyMap<string, number>
}

export const NO_CAPACITY: Capacity = { max: 0, eachTarget: 0, targets: new Map() }

/** The last quarter of all slots is kept for merchants with fewer tasks than this under way. */
const FEW = 2
const KEPT = 4
/** For one target that answers late. One that does not answer is asked one thing at a time, until it does. */
const MAX_FOR_SLOW = 4

/** Counts what is under way, and says whether one more may be: the shares of one moment. */
export function countShares(shares: Shares) {
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
export function capacityOf(
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
export function outlookOf(
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
export function chooseFairly<Due extends Task>(
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
