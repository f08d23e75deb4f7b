import type { Queries } from '../../../platform/database/database.ts'
import { bigint, nullable, text, textOf } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import type { AttemptType, Charge } from '../charge.ts'

/** Attempts that one statement looks at: it takes some 20 ms. */
const MAX_LOOKED_AT = 10_000

/** The last of the attempts that were looked at, and the charge of the one among them that has the gateway's id. */
const lookForExternalId = statement({
  name: 'find_attempt_with_external_id',
  values: { gateway_type: text, type: textOf<AttemptType>(), external_id: text, after: text, most: bigint },
  columns: { last_id: nullable(text), charge_id: nullable(text) },
  sql: `
    WITH looked_at AS MATERIALIZED (
      SELECT id, charge_id, type, outcome, external_id FROM attempts WHERE id > :after ORDER BY id LIMIT :most
    )
    SELECT max(id) AS last_id, (
      SELECT charge_id FROM looked_at JOIN charges ON charges.id = charge_id
      WHERE external_id = :external_id AND type = :type AND outcome = 'approved'
        AND payment_source->>'gateway_type' = :gateway_type LIMIT 1
    ) AS charge_id FROM looked_at`,
})

/**
 * The charge that already has a movement with this id of the gateway; null where there is none. All gateways of the type are looked at, also
 * other merchants': two of them may be one account, and a gateway never gives an id twice. All attempts are read, as no index has
 * these ids: each payment would have to write to it, and this is rarely asked.
 */
export async function findChargeByExternalId(
  queries: Queries,
  { gatewayType }: Pick<Charge, 'gatewayType'>,
  { type, externalId }: { type: AttemptType; externalId: string },
  most = MAX_LOOKED_AT,
): Promise<string | null> {
  const sought = { gateway_type: gatewayType, type, external_id: externalId, most }
  for (let after: string | null = ''; after !== null;) {
    const [row]: { last_id: string | null; charge_id: string | null }[] = await queries.run(
      lookForExternalId,
      { ...sought, after },
    )
    if (row?.charge_id != null) return row.charge_id
    after = row?.last_id ?? null
  }
  return null
}
