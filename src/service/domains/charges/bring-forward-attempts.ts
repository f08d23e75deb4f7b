import type { Queries } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import { ASK_AFTER } from './movement-sql.ts'

const bringForward = statement({
  name: 'bring_attempts_forward',
  values: {},
  columns: {},
  sql: `
    UPDATE attempts SET ask_after = now() + ${ASK_AFTER}
    WHERE outcome = 'open'
      AND ask_after > now() + greatest(power(2, least(times_asked, 8)) * interval '1 second', ${ASK_AFTER})`,
})

/**
 * Attempts without an outcome that are to be asked for later than any delay would have it, as the database's clock
 * was set back since: asked for in 8 s, so that one which is under way keeps its time.
 */
export async function bringForwardAttempts(database: Queries): Promise<void> {
  await database.run(bringForward, {})
}
