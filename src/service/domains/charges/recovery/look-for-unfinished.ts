import type { Queries } from '../../../platform/database/database.ts'
import { text } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import type { WorkCheck } from '../../../platform/jobs/job.ts'
import { UNNOTED_HOLDS } from '../statements/ended-holds-sql.ts'
import { ENDED_HOLDS, OPEN_ATTEMPTS, accountsOf, dueAtAccount } from '../statements/unfinished-sql.ts'

/** Whether there is an attempt to ask for, or a hold to release; whether it may begin at its account is not looked at. */
export const seeUnfinished = statement({
  name: 'see_unfinished_charges',
  values: {},
  columns: { job: text },
  sql: `
    WITH RECURSIVE ${accountsOf(OPEN_ATTEMPTS, 'asked')}, ${accountsOf(ENDED_HOLDS, 'held')}
    SELECT 'resolve attempts' AS job WHERE EXISTS (
      SELECT FROM asked CROSS JOIN LATERAL (SELECT ${dueAtAccount(OPEN_ATTEMPTS, 'asked.id')} LIMIT 1) due)
    UNION ALL
    SELECT 'release ended holds' WHERE EXISTS (
      (SELECT FROM ${UNNOTED_HOLDS} ORDER BY hold_expires_at LIMIT 1)
      UNION ALL
      (SELECT FROM held CROSS JOIN LATERAL (SELECT ${dueAtAccount(ENDED_HOLDS, 'held.id')} LIMIT 1) due))`,
})

/** One look for both jobs that finish what is left of charges: mostly there is nothing. */
export const lookForUnfinished =
  (database: Queries): WorkCheck =>
  async () =>
    (await database.run(seeUnfinished, {})).map(({ job }) => job)
