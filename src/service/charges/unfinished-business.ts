import { forEach } from '../jobs/for-each.ts'
import { followUp } from './follow-up.ts'
import type { FollowUpParts } from './follow-up.ts'

/**
 * Asks for the outcome of attempts that have none: the service was killed, or the gateway did not answer
 * (contract §4). Any number of processes may do this at once.
 */
export async function resolveAttempts({ store, movements }: Omit<FollowUpParts, 'createId'>): Promise<void> {
  await forEach(await store.takeDueAttempts(), async ({ id, chargeId }) => {
    const charge = await store.find(chargeId)
    const attempt = charge?.attempts.find((one) => one.id === id)
    if (charge !== null && attempt?.outcome === 'open') await movements.resolve(charge, attempt)
  })
}

/** Releases holds whose time is over by the database's clock (contract §4, hold period over). */
export async function releaseEndedHolds(parts: FollowUpParts): Promise<void> {
  await forEach(await parts.store.findEndedHolds(), async (id) => {
    const charge = await parts.store.find(id)
    if (charge === null) return
    const { amount } = charge
    await followUp(parts, charge, {
      type: 'cancel',
      amount,
      sourceIp: null,
      reference: null,
      repeatable: null,
      reason: 'authorisation_expired',
    })
  })
}
