import type { Database } from '../platform/database/database.ts'
import type { Statement } from '../platform/database/statement.ts'
import { testStatement } from './test-statement.ts'

/** The generic plan of a statement (that for any values), as PostgreSQL describes it. */
export async function keptPlanOf<Values, Row extends object>(
  database: Database,
  { name, text, names }: Statement<Values, Row>,
): Promise<string> {
  return database.transaction(async (queries) => {
    await queries.script(`SET LOCAL plan_cache_mode = force_generic_plan; PREPARE p_${name} AS ${text}`)
    const values = names.length === 0 ? '' : `(${names.map(() => 'NULL').join(', ')})`
    const explain = testStatement<{ 'QUERY PLAN': string }>(
      `t_explain_${name}`,
      `EXPLAIN EXECUTE p_${name} ${values}`,
    )
    const rows = await queries.run(explain, [])
    await queries.script(`DEALLOCATE p_${name}`)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
}
