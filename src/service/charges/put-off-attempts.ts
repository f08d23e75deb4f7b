import { statement } from '../database/database.ts'
import type { Queries } from '../database/database.ts'

const askSooner = statement(
  'ask_put_off_attempts',
  `UPDATE attempts SET ask_after = now() + interval '8 seconds'
   WHERE outcome = 'open' AND ask_after > now() + greatest(8, power(2, least(times_asked, 8))) * interval '1 second'`,
)

/**
 * Attempts without an outcome that are to be asked for later than anyone would have put them off, as the database's clock
 * was set back since: asked for in 8 s, so that one which is under way keeps its time.
 */
export async function askPutOffAttempts(database: Queries): Promise<void> {
  await database.run(askSooner, [])
}
