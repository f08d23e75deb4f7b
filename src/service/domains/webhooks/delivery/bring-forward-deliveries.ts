import type { Queries } from '../../../platform/database/database.ts'
import { arrayOf, float8 } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import { LEASE_SECONDS } from './delivery-sql.ts'
import { LONGEST_DELAYS } from './retry-delay.ts'

/** `longest_delays`: in seconds after each number of attempts. */
const bringForward = statement({
  name: 'bring_deliveries_forward',
  values: { longest_delays: arrayOf(float8) },
  columns: {},
  sql: `
    UPDATE webhook_deliveries
    SET next_at = CASE attempts WHEN 0 THEN now() ELSE now() + interval '${LEASE_SECONDS} seconds' END
    WHERE next_at > now() + interval '1 second' * CASE attempts
      WHEN 0 THEN 1 ELSE greatest(${LEASE_SECONDS}, (:longest_delays::float8[])[attempts]) END`,
})

/**
 * Deliveries that are due later than any delay allows, as the database's clock was set back. Those never tried become due now, the
 * others once no process can still be sending them.
 */
export async function bringForwardDeliveries(database: Queries): Promise<void> {
  await database.run(bringForward, { longest_delays: LONGEST_DELAYS })
}
