import type { ChargeResource } from '../../../../contract/api/charges/charge-resource.ts'
import { toChargeResource } from '../charge-resource.ts'
import type { ChargeStore } from '../charge-store.ts'
import { statusAfter } from '../charge.ts'
import type { Attempt, Charge } from '../charge.ts'
import type { Movement } from './record-outcome.ts'

/** The charge as it was after one of its attempts: later attempts are undone. */
export function movementAtAttempt(charge: Charge, attempt: Attempt): Movement {
  const last = charge.attempts.findIndex(({ id }) => id === attempt.id)
  const attempts = charge.attempts.slice(0, last + 1)
  const lastRefund = attempts.findLast(isApprovedRefund)
  const before: Attempt[] = []
  const then: Charge = { ...charge, status: 'processing', openAttemptId: null, attempts: before }
  for (const one of attempts) {
    // An approved refund that another one follows was of a part, and has left the charge as it was.
    const isOfPart = isApprovedRefund(one) && one !== lastRefund
    if (one.outcome !== 'open' && !isOfPart) then.status = statusAfter(then, one, one.outcome)
    then.updatedAt = one.settledAt ?? then.updatedAt
    before.push(one)
  }
  return { charge: then, attempt }
}

const isApprovedRefund = ({ type, outcome }: Attempt) => type === 'refund' && outcome === 'approved'

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
