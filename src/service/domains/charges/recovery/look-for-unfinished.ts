import type { Queries } from '../../../platform/database/database.ts'
import { text } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import type { Look } from '../../../platform/jobs/repeat.ts'
import { OPEN_ACCOUNTS } from '../statements/unfinished-sql.ts'

/** Whether there is an attempt to ask for, or a hold that is over; whether it may begin is not looked at. */
const seeUnfinished = statement({
  name: 'see_unfinished_charges',
  values: {},
  columns: { job: text },
  sql: `
    WITH RECURSIVE ${OPEN_ACCOUNTS}
    SELECT 'resolve attempts' AS job WHERE EXISTS (
      SELECT FROM accounts CROSS JOIN LATERAL (
        SELECT FROM attempts WHERE outcome = 'open' AND gateway_id = accounts.id AND ask_after <= now() LIMIT 1
      ) due)
    UNION ALL
    SELECT 'release ended holds' WHERE EXISTS (
      SELECT FROM charges WHERE status = 'pending' AND hold_expires_at <= now())`,
})

/** One look for both jobs that finish what is left of charges: mostly there is nothing. */
export const lookForUnfinished =
  (database: Queries): Look =>
  async () =>
    (await database.run(seeUnfinished, {})).map(({ job }) => job)
