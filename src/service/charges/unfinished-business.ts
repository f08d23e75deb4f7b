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

/** One after the other; one that fails does not keep the rest waiting, and is told of at the end. */
async function forEach<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const faults: unknown[] = []
  for (const item of items) {
    try {
      await work(item)
    } catch (error) {
      faults.push(error)
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, faults.map(String).join('; '))
}
