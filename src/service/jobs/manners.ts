import type { Manner, Task } from './fair-shares.ts'

/** How targets have answered of late, as far as one process has seen it. */
export interface Manners {
  of: (targetId: string) => Manner
  /** Targets that are not quick. */
  noted: () => Iterable<string>
  /** A task that is still under way. */
  seeWaiting: (task: Task, waitedMs: number) => void
  /** A task that has ended, and whether it went well. */
  seeEnded: (task: Task, end: { tookMs: number; isWell: boolean }) => void
}

interface Settings {
  /** How long a target is waited for, in ms: a task that took as long was not answered. */
  timeoutMs: number
  /** Hears of a target that has become silent. */
  onSilent: (task: Task) => void
}

/** A target that has not answered after this long is a slow one. */
const SLOW_AFTER_MS = 2000
/** One that has failed as often as this in a row counts as slow, however quickly it fails. */
const FAILS_AFTER = 5
/** Targets that are remembered; past this the one that was noted first is forgotten. */
const MOST_REMEMBERED = 10_000

export function createManners({ timeoutMs, onSilent }: Settings): Manners {
  const noted = new Map<string, { manner: Manner; failures: number }>()
  const of = (targetId: string): Manner => noted.get(targetId)?.manner ?? 'quick'
  const mannerAfter = (tookMs: number, failures: number): Manner => {
    if (tookMs >= SLOW_AFTER_MS) return tookMs < timeoutMs ? 'slow' : 'silent'
    return failures < FAILS_AFTER ? 'quick' : 'slow'
  }
  return {
    of,
    noted: () => noted.keys(),
    seeWaiting({ targetId }, waitedMs) {
      if (waitedMs < SLOW_AFTER_MS || of(targetId) !== 'quick') return
      noted.set(targetId, { manner: 'slow', failures: noted.get(targetId)?.failures ?? 0 })
    },
    seeEnded(task, { tookMs, isWell }) {
      const before = of(task.targetId)
      const failures = isWell ? 0 : (noted.get(task.targetId)?.failures ?? 0) + 1
      const manner = mannerAfter(tookMs, failures)
      noted.delete(task.targetId)
      if (manner === 'quick' && failures === 0) return
      noted.set(task.targetId, { manner, failures })
      if (noted.size > MOST_REMEMBERED) noted.delete([...noted.keys()][0] ?? '')
      if (manner === 'silent' && before !== 'silent') onSilent(task)
    },
  }
}
