import { createFairPool } from '../../platform/concurrency/fairness.ts'
import type { FairPool, Shares } from '../../platform/concurrency/fairness.ts'
import type { Platform } from '../../platform/platform.ts'

/** How long the network may take for an answer before its calls count as unanswered. */
const NETWORK_TIMEOUT_MS = 10_000
/** Time for two answers and a few statements on a slow database; less than the minute for which a task is taken. */
const MAX_TASK_MS = 45_000

interface Settings {
  /** What is under way, in a word that stands in figures and log lines. */
  kind: string
  /** The target of each task is its merchant. */
  shares: Shares
  onFault: (error: unknown) => void
}

/** A pool of tasks that call the payment network, which the metrics show. */
export function createNetworkPool({ clock, log, metrics }: Platform, settings: Settings): FairPool {
  const pool = createFairPool({
    ...settings,
    target: 'merchant',
    timeoutMs: NETWORK_TIMEOUT_MS,
    deadlineMs: MAX_TASK_MS,
    clock,
    warn: (facts, words) => {
      log.warn(facts, words)
    },
  })
  metrics.watchOutbound(pool)
  return pool
}
