import type { Queries } from '../../../platform/database/database.ts'
import { text, textOf } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import type { AttemptType, Charge } from '../charge.ts'

/** The charge of an approved attempt that has the gateway's id. */
const lookForExternalId = statement({
  name: 'find_attempt_with_external_id',
  values: { gateway_type: text, type: textOf<AttemptType>(), external_id: text },
  columns: { charge_id: text },
  sql: `
    SELECT charge_id FROM attempts JOIN charges ON charges.id = charge_id
    WHERE external_id = :external_id AND type = :type AND outcome = 'approved'
      AND payment_source->>'gateway_type' = :gateway_type LIMIT 1`,
})

/**
 * The charge that already has a movement with this id of the gateway; null where there is none. All gateways of the type are looked at, also
 * other merchants': two of them may be one account, and a gateway never gives an id twice.
 */
export async function findChargeByExternalId(
  queries: Queries,
  { gatewayType }: Pick<Charge, 'gatewayType'>,
  { type, externalId }: { type: AttemptType; externalId: string },
): Promise<string | null> {
  const sought = { gateway_type: gatewayType, type, external_id: externalId }
  const [row] = await queries.run(lookForExternalId, sought)
  return row?.charge_id ?? null
}
