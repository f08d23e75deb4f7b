import { createFairPool } from '../concurrency/fairness.ts'
import type { FairPool, FairPoolOptions } from '../concurrency/fairness.ts'
import type { Platform } from '../platform.ts'

/** Opens a fair pool of calls to other parties' servers, which metrics and log show. */
export function openOutboundPool(
  { clock, log, metrics }: Pick<Platform, 'clock' | 'log' | 'metrics'>,
  options: Omit<FairPoolOptions, 'clock' | 'warn'>,
): FairPool {
  const pool = createFairPool({ ...options, clock, warn: (facts, words) => log.warn(facts, words) })
  metrics.watchOutbound(pool)
  return pool
}
