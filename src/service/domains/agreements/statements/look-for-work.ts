import type { TimeOfDay } from '../../../platform/clocks.ts'
import type { Queries } from '../../../platform/database/database.ts'
import { text, timestamptz } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import type { WorkCheck } from '../../../platform/jobs/job.ts'
import { IS_DUE } from '../payments/statements/collect-sql.ts'
import { IS_TO_SEND } from '../payments/statements/send-sql.ts'
import { IS_OVER, IS_UNAMENDED, IS_UNANSWERED } from './ending-sql.ts'
import { dayAt } from '../terms/day.ts'

const has = (condition: string) => `EXISTS (SELECT FROM agreements WHERE ${condition})`

/** What waits for the network is found even where it has to wait a while: rows of many merchants are in the order of neither time nor day. */
const seeWork = statement({
  name: 'see_work_of_agreements',
  values: { now: timestamptz, today: text },
  columns: { job: text },
  sql: `
    SELECT 'send instructions' AS job
    WHERE (SELECT merchant_id FROM network_instructions ORDER BY merchant_id LIMIT 1) IS NOT NULL
    UNION ALL
    SELECT 'send payments'
    WHERE (SELECT merchant_id FROM agreement_payments WHERE ${IS_TO_SEND} ORDER BY merchant_id LIMIT 1) IS NOT NULL
    UNION ALL
    SELECT 'collect due payments' WHERE ${has(IS_DUE)}
    UNION ALL
    SELECT 'end agreements' WHERE ${has(IS_OVER)} OR ${has(IS_UNANSWERED)} OR ${has(IS_UNAMENDED)}`,
})

/** One look for the jobs of agreements that something may be due for at any time: mostly nothing is. */
export const lookForWork =
  (database: Queries, timeOfDay: TimeOfDay): WorkCheck =>
  async () => {
    const now = timeOfDay.epochMs()
    const rows = await database.run(seeWork, { now: new Date(now), today: dayAt(now) })
    return rows.map(({ job }) => job)
  }
