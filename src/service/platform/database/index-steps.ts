import type { Database, Transaction } from './database.ts'
import { arrayOf, bool, text } from './sql-types.ts'
import { statement } from './statement.ts'

/** An index that a step makes or drops. `definition`: the SQL after its name, or null where it is dropped. */
interface IndexChange {
  name: string
  definition: string | null
}

const CREATE = /^CREATE INDEX IF NOT EXISTS (\w+) (ON [^;]+)$/
const DROP = /^DROP INDEX (\w+)$/

/** The indexes that a step makes and drops; null for a step that does anything else. */
export function indexChangesOf(sql: string): IndexChange[] | null {
  const statements = sql
    .split(';')
    .map((one) => one.replace(/\s+/g, ' ').trim())
    .filter((one) => one !== '')
  const changes = statements.flatMap((one): IndexChange[] => {
    const [, made, definition] = CREATE.exec(one) ?? []
    const [, dropped] = DROP.exec(one) ?? []
    if (made !== undefined && definition !== undefined) return [{ name: made, definition }]
    return dropped === undefined ? [] : [{ name: dropped, definition: null }]
  })
  return changes.length === statements.length ? changes : null
}

/** Which of these indexes exist, and whether each is valid: one whose creation was interrupted is not. */
const findIndexes = statement({
  name: 'find_indexes',
  values: { names: arrayOf(text) },
  columns: { name: text, is_valid: bool },
  sql: `
    SELECT wanted.name, i.indisvalid AS is_valid
    FROM unnest(:names::text[]) AS wanted (name) JOIN pg_index i ON i.indexrelid = to_regclass(wanted.name)`,
})

/**
 * A transaction whose last statement used the simple protocol holds no snapshot, so that making an index does not wait for it.
 */
const WITHOUT_SNAPSHOT = 'SELECT 1'

/**
 * Makes and drops indexes while their tables are read and written as usual, which PostgreSQL allows only outside of a transaction.
 * An index that exists is left as it is; one whose creation was interrupted is made again. `turn`: the open transaction that lets
 * one process at a time do this.
 */
export async function changeIndexes(
  turn: Transaction,
  outsideTransaction: Database['outsideTransaction'],
  changes: readonly IndexChange[],
): Promise<void> {
  const rows = await turn.run(findIndexes, { names: changes.map(({ name }) => name) })
  await turn.script(WITHOUT_SNAPSHOT)
  const known = new Map(rows.map(({ name, is_valid }) => [name, is_valid]))
  for (const { name, definition } of changes) {
    const isThere = definition !== null && known.get(name) === true
    if (isThere) continue
    if (known.has(name)) await outsideTransaction(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`)
    if (definition !== null) await outsideTransaction(`CREATE INDEX CONCURRENTLY ${name} ${definition}`)
  }
}
