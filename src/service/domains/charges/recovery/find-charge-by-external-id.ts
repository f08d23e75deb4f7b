import type { Queries } from '../../../platform/database/database.ts'
import { bigint, bool, text, textOf, timestamptz } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import type { Position } from '../../../platform/listing/cursor.ts'
import { IN_WINDOW, toWindowValues, windowTypes } from '../../../platform/listing/page-query.ts'
import type { AttemptType, Charge } from '../charge.ts'

/** Charges that one statement looks at: it takes some 0.1 s. */
const MAX_LOOKED_AT = 10_000

/**
 * The last of the charges that were looked at, or the one that has the movement. The attempts of each are looked up: a join would read the
 * whole table.
 */
const lookForExternalId = statement({
  name: 'find_attempt_with_external_id',
  values: {
    ...windowTypes,
    merchant_id: text,
    gateway_id: text,
    type: textOf<AttemptType>(),
    external_id: text,
    most: bigint,
  },
  columns: { id: text, created_at: timestamptz, is_found: bool },
  sql: `
    WITH looked_at AS (
      SELECT id, created_at FROM charges
      WHERE merchant_id = :merchant_id AND gateway_id = :gateway_id AND ${IN_WINDOW}
      ORDER BY created_at DESC, id DESC LIMIT :most
    ), found AS (
      SELECT id, created_at FROM looked_at CROSS JOIN LATERAL (
        SELECT FROM attempts
        WHERE charge_id = looked_at.id AND type = :type AND outcome = 'approved' AND external_id = :external_id LIMIT 1
      ) other LIMIT 1
    )
    SELECT id, created_at, true AS is_found FROM found
    UNION ALL (SELECT id, created_at, false FROM looked_at OFFSET :most - 1)
    LIMIT 1`,
})

/**
 * The charge at a gateway account that already has a movement under the gateway's id; null where there is none. All of the account's charges
 * are looked at, the newest first: no index knows these ids, as each payment would have to write it.
 */
export async function findChargeByExternalId(
  queries: Queries,
  { merchantId, gatewayId }: Pick<Charge, 'merchantId' | 'gatewayId'>,
  { type, externalId }: { type: AttemptType; externalId: string },
  most = MAX_LOOKED_AT,
): Promise<string | null> {
  const sought = { merchant_id: merchantId, gateway_id: gatewayId, type, external_id: externalId }
  const look = (after: Position | null) =>
    queries.run(lookForExternalId, { ...sought, ...toWindowValues({ from: null, to: null, after }), most })
  let [row] = await look(null)
  while (row !== undefined && !row.is_found) [row] = await look({ createdAt: row.created_at, id: row.id })
  return row?.id ?? null
}
