import type { Speed, Task } from './fair-shares.ts'

/** How targets have answered of late, as far as one process has seen it. */
export interface Responsiveness {
  of: (targetId: string) => Speed
  /** Targets that are not quick, or whose last call failed. */
  noted: () => Iterable<string>
  /** A task that is still under way. */
  seeWaiting: (task: Task, waitedMs: number) => void
  /** A task that has ended, and whether it went well. */
  seeEnded: (task: Task, end: { tookMs: number; isWell: boolean }) => void
}

interface Settings {
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

export function createResponsiveness({ timeoutMs, onSilent }: Settings): Responsiveness {
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
