import type { ChargeResource } from '../../../contract/api/charge-resource.ts'
import { toChargeResource } from './charge-resource.ts'
import type { ChargeStore } from './charge-store.ts'
import { movementAsOf } from './movement-as-of.ts'

/** The charge of an event on the wire; an event of a charge bears the id of the attempt that it is about. */
export async function chargeAsOfEvent(
  store: Pick<ChargeStore, 'find'>,
  { id, subject }: { id: string; subject: string },
): Promise<ChargeResource> {
  const charge = await store.find(subject)
  const attempt = charge?.attempts.find((one) => one.id === id)
  if (charge === null || attempt === undefined) throw new Error(`event ${id} is of no charge`)
  return toChargeResource(movementAsOf(charge, attempt).charge)
}
