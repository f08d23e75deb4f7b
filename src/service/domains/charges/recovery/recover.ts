import type { FairPool } from '../../../platform/concurrency/fairness.ts'
import type { IsClockSteady } from '../../../platform/jobs/when-steady.ts'
import { followUp } from '../movements/follow-up.ts'
import type { FollowUpParts } from '../movements/follow-up.ts'

/**
 * Begins to ask for the outcome of attempts that have none: the service was killed, or the gateway did not answer
 * (contract §4). Many at a time, each gateway account with a share; any number of processes may do this at once. The clock is
 * read after something was found due.
 */
export async function resolveAttempts(
  { store, movements }: Omit<FollowUpParts, 'createId'>,
  pool: FairPool,
  isClockSteady: IsClockSteady,
): Promise<void> {
  const capacity = pool.capacity()
  if (capacity.max === 0) return
  const due = await store.findDueAttempts(capacity)
  if (due.length === 0 || !(await isClockSteady())) return
  const chosen = pool.choose(due)
  if (chosen.length === 0) return
  for (const task of await store.takeAttempts(chosen))
    pool.start(task, async () => {
      const charge = await store.find(task.chargeId)
      const attempt = charge?.attempts.find((one) => one.id === task.id)
      if (charge !== null && attempt?.outcome === 'open') await movements.resolve(charge, attempt)
      return true
    })
}

/**
 * Begins to release holds whose time is over by the database's clock (contract §4, hold period over): many at a time, with
 * shares as for attempts. The clock is read before holds are noted, and again before any is released: it may have stepped between.
 */
export async function releaseEndedHolds(
  parts: FollowUpParts,
  pool: FairPool,
  isClockSteady: IsClockSteady,
): Promise<void> {
  const capacity = pool.capacity()
  if (capacity.max === 0 || !(await isClockSteady())) return
  await parts.store.noteEndedHolds()
  const due = await parts.store.findEndedHolds(capacity)
  if (due.length === 0 || !(await isClockSteady())) return
  for (const task of pool.choose(due))
    pool.start(task, async () => {
      const charge = await parts.store.find(task.id)
      if (charge === null) return true
      const { amount } = charge
      await followUp(parts, charge, {
        type: 'cancel',
        amount,
        userId: null,
        sourceIp: null,
        reference: null,
        idempotentRequest: null,
        reason: 'authorisation_expired',
      })
      return true
    })
}
