import { statement } from '../database/database.ts'
import type { Queries } from '../database/database.ts'
import { LONGEST_DELAYS } from './retry-delay.ts'

const LEASE_SECONDS = 60

/** `$1`: the longest delay in seconds after each number of attempts. */
const sendSooner = statement(
  'send_put_off_deliveries',
  `UPDATE webhook_deliveries
   SET next_at = CASE attempts WHEN 0 THEN now() ELSE now() + ${LEASE_SECONDS} * interval '1 second' END
   WHERE next_at > now() + interval '1 second' * CASE attempts
     WHEN 0 THEN 1 ELSE greatest(${LEASE_SECONDS}, ($1::float8[])[attempts]) END`,
)

/**
 * Deliveries that are due later than anyone would have put them off, as the database's clock was set back since: those
 * that were never tried are due now, the others once no process can have one under way.
 */
export async function sendPutOffDeliveries(database: Queries): Promise<void> {
  await database.run(sendSooner, [LONGEST_DELAYS])
}
