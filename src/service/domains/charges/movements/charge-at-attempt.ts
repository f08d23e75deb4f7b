import type { ChargeResource } from '../../../../contract/api/charges/charge-resource.ts'
import { toChargeResource } from '../charge-resource.ts'
import type { ChargeStore } from '../charge-store.ts'
import { statusAfter } from '../charge.ts'
import type { Attempt, Charge } from '../charge.ts'
import type { Movement } from './movements.ts'

/** The charge as it was after one of its attempts: later attempts are undone. */
export function movementAtAttempt(charge: Charge, attempt: Attempt): Movement {
  const last = charge.attempts.findIndex(({ id }) => id === attempt.id)
  let then: Charge = { ...charge, status: 'processing', openAttemptId: null, attempts: [] }
  for (const one of charge.attempts.slice(0, last + 1)) {
    const status = one.outcome === 'open' ? then.status : statusAfter(then, one, one.outcome)
    then = { ...then, status, attempts: [...then.attempts, one], updatedAt: one.settledAt ?? then.updatedAt }
  }
  return { charge: then, attempt }
}

/** The charge of an event on the wire; an event of a charge bears the id of the attempt that it is about. */
export async function chargeAsOfEvent(
  store: Pick<ChargeStore, 'find'>,
  { id, subject }: { id: string; subject: string },
): Promise<ChargeResource> {
  const charge = await store.find(subject)
  const attempt = charge?.attempts.find((one) => one.id === id)
  if (charge === null || attempt === undefined) throw new Error(`event ${id} is of no charge`)
  return toChargeResource(movementAtAttempt(charge, attempt).charge)
}
