import { bigint, text, timestamptz } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import { sqlConditionFor } from '../../../platform/state-machine.ts'
import { agreementMoves } from '../agreement.ts'
import type { AgreementAction } from '../agreement.ts'
import { agreementColumns } from '../agreement-row.ts'
import { columns } from './agreement-sql.ts'

const takes = (action: AgreementAction): string =>
  sqlConditionFor(agreementMoves, action, (state) => `status = '${state}'`)

/** No answer has come in time. */
export const IS_UNANSWERED = `${takes('lapse')} AND response_required_by <= :now`
/** The last day is over; one with a payment still to be collected for a day until then waits for it. */
export const IS_OVER = `${takes('expire')} AND end_date IS NOT NULL AND end_date < :today
      AND NOT (status = 'active' AND next_due_on IS NOT NULL AND next_due_on <= end_date)`
/** The pending amendment has got no answer in time. */
export const IS_UNAMENDED = 'amendment_required_by IS NOT NULL AND amendment_required_by <= :now'

export const findUnanswered = statement({
  name: 'find_unanswered_agreements',
  values: { now: timestamptz, most: bigint },
  columns: agreementColumns,
  sql: `
    SELECT ${columns} FROM agreements WHERE ${IS_UNANSWERED}
    ORDER BY response_required_by LIMIT :most`,
})

export const findOver = statement({
  name: 'find_agreements_that_are_over',
  values: { today: text, most: bigint },
  columns: agreementColumns,
  sql: `
    SELECT ${columns} FROM agreements WHERE ${IS_OVER}
    ORDER BY end_date LIMIT :most`,
})

export const findUnamended = statement({
  name: 'find_unamended_agreements',
  values: { now: timestamptz, most: bigint },
  columns: agreementColumns,
  sql: `
    SELECT ${columns} FROM agreements WHERE ${IS_UNAMENDED}
    ORDER BY amendment_required_by LIMIT :most`,
})
