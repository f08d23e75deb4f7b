import { openOutboundPool } from '../../platform/outbound/outbound-pool.ts'
import type { FairPool } from '../../platform/concurrency/fairness.ts'
import type { Job } from '../../platform/jobs/job.ts'
import {
  MOVEMENTS_ENDED_MS,
  PUT_RIGHT_MS,
  isSteady,
  whenSetBack,
  whenSteady,
} from '../../platform/jobs/when-steady.ts'
import type { IsClockSteady } from '../../platform/jobs/when-steady.ts'
import { workInBatches } from '../../platform/jobs/batches.ts'
import type { Platform } from '../../platform/platform.ts'
import { forgetRequests } from './attempt-store.ts'
import { attemptFollowUp, resolveAttempt } from './attempts.ts'
import type { AttemptDeps } from './attempts.ts'
import { findCharge } from './charge-store.ts'
import { countNewEvents } from './tallies.ts'
import { watchUnknownOutcomes } from './unknown-outcomes.ts'
import {
  bringAttemptsForward,
  bringReleasesForward,
  findDueAttempts,
  findEndedHolds,
  jobsWithWork,
  noteEndedHolds,
  takeAttempts,
} from './unfinished-store.ts'

/** How much of the unfinished work one process does at once: so little that requests find a database connection. */
const GATEWAY_SHARES = { quick: 64, slow: 32, merchant: 16, target: 16 }
/** Time for a gateway's answer and a few statements on a slow database. */
const MAX_TASK_MS = 30_000

/** The background jobs of charges. `sealedLength`: how many events the audit log's chain has. */
export function chargeJobs(
  platform: Platform,
  deps: AttemptDeps,
  sealedLength: () => Promise<number>,
): Job[] {
  const { database, log, clock, timeOfDay } = platform
  const { timeoutMs } = deps.gatewayCalls
  const inquiries = gatewayPool(platform, 'inquiry', timeoutMs)
  const forgetting = workInBatches([() => forgetRequests(database)])
  const releasesForward = workInBatches([() => bringReleasesForward(database)])
  const releases = gatewayPool(platform, 'hold_release', timeoutMs)
  // One check for the jobs that are often without work.
  const workCheck = () => jobsWithWork(database)
  return [
    {
      name: 'resolve attempts',
      everyMs: 250,
      workCheck,
      work: () => resolveOpenAttempts(deps, inquiries, () => isSteady(timeOfDay, MOVEMENTS_ENDED_MS)),
      finish: inquiries.finish,
    },
    {
      name: 'release ended holds',
      everyMs: 250,
      workCheck,
      work: () => releaseEndedHolds(deps, releases, () => isSteady(timeOfDay, PUT_RIGHT_MS)),
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
        await bringAttemptsForward(database)
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
    { name: 'count charges', everyMs: 250, workCheck, work: () => countNewEvents(database, sealedLength) },
  ]
}

function gatewayPool(platform: Platform, kind: string, timeoutMs: number): FairPool {
  return openOutboundPool(platform, {
    kind,
    target: 'gateway',
    shares: GATEWAY_SHARES,
    timeoutMs,
    deadlineMs: MAX_TASK_MS,
    onFault: (error) =>
      platform.log.error({ err: error, kind }, 'what was left unfinished could not be finished yet'),
  })
}

/**
 * Asks gateways about attempts without an outcome: the process that sent them was killed, or no answer came (contract §4). Many at a time,
 * within each gateway account's share; any number of processes may do this at once. The clock is read after something was found due.
 */
async function resolveOpenAttempts(
  deps: AttemptDeps,
  pool: FairPool,
  isClockSteady: IsClockSteady,
): Promise<void> {
  const { database } = deps
  const capacity = pool.capacity()
  if (capacity.max === 0) return
  const due = await findDueAttempts(database, capacity)
  if (due.length === 0 || !(await isClockSteady())) return
  const chosen = pool.choose(due)
  if (chosen.length === 0) return
  for (const task of await takeAttempts(database, chosen))
    pool.start(task, async () => {
      const charge = await findCharge(database, task.chargeId)
      const attempt = charge?.attempts.find((one) => one.id === task.id)
      if (charge !== null && attempt?.outcome === 'open') await resolveAttempt(deps, charge, attempt)
      return true
    })
}

/**
 * Releases holds whose time is over by the database's clock (contract §4), many at a time as above. The clock is read before holds are noted,
 * and again before any is released: it may have stepped in between.
 */
async function releaseEndedHolds(
  deps: AttemptDeps,
  pool: FairPool,
  isClockSteady: IsClockSteady,
): Promise<void> {
  const { database } = deps
  const capacity = pool.capacity()
  if (capacity.max === 0 || !(await isClockSteady())) return
  await noteEndedHolds(database)
  const due = await findEndedHolds(database, capacity)
  if (due.length === 0 || !(await isClockSteady())) return
  for (const task of pool.choose(due))
    pool.start(task, async () => {
      const charge = await findCharge(database, task.id)
      if (charge === null) return true
      await attemptFollowUp(deps, charge, {
        type: 'cancel',
        amount: charge.amount,
        userId: null,
        sourceIp: null,
        reference: null,
        idempotentRequest: null,
        reason: 'authorisation_expired',
      })
      return true
    })
}
