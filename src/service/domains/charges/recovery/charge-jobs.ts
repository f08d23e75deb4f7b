import type { Job } from '../../../platform/jobs/job.ts'
import { createFairPool } from '../../../platform/concurrency/fairness.ts'
import type { FairPool } from '../../../platform/concurrency/fairness.ts'
import { workInBatches, countIn } from '../../../platform/jobs/batches.ts'
import {
  MOVEMENTS_ENDED_MS,
  PUT_RIGHT_MS,
  isSteady,
  whenSetBack,
  whenSteady,
} from '../../../platform/jobs/when-steady.ts'
import type { Platform } from '../../../platform/platform.ts'
import { bringReleasesForward } from '../statements/ended-holds-sql.ts'
import { bringAttemptsForward } from '../statements/unfinished-sql.ts'
import type { SaleParts } from '../movements/sale.ts'
import { lookForUnfinished } from './look-for-unfinished.ts'
import { releaseEndedHolds, resolveAttempts } from './recover.ts'
import { watchUnknownOutcomes } from './unknown-outcomes.ts'

/** Shares of unfinished work in one process: small enough that requests find a database connection. */
const GATEWAY_SHARES = { quick: 64, slow: 32, merchant: 16, target: 16 }
/** Time for a gateway's answer and a few statements on a slow database. */
const MAX_TASK_MS = 30_000

/** What is done in the background for charges. `timeoutMs`: how long a gateway's answer is waited for. */
export function chargeJobs(platform: Platform, charges: SaleParts, timeoutMs: number): Job[] {
  const { database, log, clock, timeOfDay } = platform
  const inquiries = gatewayPool(platform, 'inquiry', timeoutMs)
  const forgetting = workInBatches([charges.store.forgetRequests])
  const releasesForward = workInBatches([async () => countIn(await database.run(bringReleasesForward, {}))])
  const releases = gatewayPool(platform, 'hold_release', timeoutMs)
  const workCheck = lookForUnfinished(database)
  return [
    {
      name: 'resolve attempts',
      everyMs: 250,
      workCheck,
      work: () => resolveAttempts(charges, inquiries, () => isSteady(timeOfDay, MOVEMENTS_ENDED_MS)),
      finish: inquiries.finish,
    },
    {
      name: 'release ended holds',
      everyMs: 250,
      workCheck,
      work: () => releaseEndedHolds(charges, releases, () => isSteady(timeOfDay, PUT_RIGHT_MS)),
      finish: releases.finish,
    },
    {
      name: 'forget old requests',
      everyMs: 3_600_000,
      work: whenSteady(timeOfDay, PUT_RIGHT_MS, forgetting.work),
      abort: forgetting.abort,
    },
    {
      name: 'bring inquiries forward',
      everyMs: 1000,
      work: whenSetBack(timeOfDay, async () => {
        await database.run(bringAttemptsForward, {})
        await releasesForward.work()
      }),
    },
    {
      name: 'bring releases forward',
      everyMs: 3_600_000,
      work: releasesForward.work,
      abort: releasesForward.abort,
    },
    {
      name: 'report unknown outcomes',
      everyMs: 15_000,
      work: watchUnknownOutcomes({
        database,
        warn: (unknown) => log.warn(unknown, 'the outcome of a movement is unknown'),
        clock,
      }),
    },
  ]
}

function gatewayPool({ log, clock, metrics }: Platform, kind: string, timeoutMs: number): FairPool {
  const pool = createFairPool({
    kind,
    target: 'gateway',
    shares: GATEWAY_SHARES,
    timeoutMs,
    deadlineMs: MAX_TASK_MS,
    clock,
    warn: (facts, words) => log.warn(facts, words),
    onFault: (error) => log.error({ err: error, kind }, 'what was left unfinished could not be finished yet'),
  })
  metrics.watchOutbound(pool)
  return pool
}
