import type { Manner, Task } from './fair-shares.ts'

/** How targets have answered of late, as far as one process has seen it. */
export interface Manners {
  of: (targetId: string) => Manner
  /** Targets that are not quick. */
  noted: () => Iterable<string>
  /** A task that is still under way. */
  seeWaiting: (task: Task, waitedMs: number) => void
  /** A task that has ended. */
  seeEnded: (task: Task, tookMs: number) => void
}

interface Settings {
  /** How long a target is waited for, in ms: a task that took as long was not answered. */
  timeoutMs: number
  /** Hears of a target that has become silent. */
  onSilent: (task: Task) => void
}

/** A target that has not answered after this long is a slow one. */
const SLOW_AFTER_MS = 2000
/** Targets that are remembered; past this the one that was noted first is forgotten. */
const MOST_REMEMBERED = 10_000

export function createManners({ timeoutMs, onSilent }: Settings): Manners {
  const noted = new Map<string, Manner>()
  const of = (targetId: string): Manner => noted.get(targetId) ?? 'quick'
  return {
    of,
    noted: () => noted.keys(),
    seeWaiting({ targetId }, waitedMs) {
      if (waitedMs >= SLOW_AFTER_MS && !noted.has(targetId)) noted.set(targetId, 'slow')
    },
    seeEnded(task, tookMs) {
      const before = of(task.targetId)
      noted.delete(task.targetId)
      if (tookMs < SLOW_AFTER_MS) return
      const manner = tookMs < timeoutMs ? 'slow' : 'silent'
      noted.set(task.targetId, manner)
      if (noted.size > MOST_REMEMBERED) noted.delete([...noted.keys()][0] ?? '')
      if (manner === 'silent' && before !== 'silent') onSilent(task)
    },
  }
}
