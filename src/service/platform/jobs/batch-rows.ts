import { bigint } from '../database/sql-types.ts'

/** The most rows that one statement changes where there may be any number: it takes some 20 ms. */
export const BATCH_ROWS = 1000

/** What such a statement returns: how many rows it has changed. */
export const batchColumns = { count: bigint }

interface Batch {
  /** An `UPDATE` or `DELETE`, without a condition. */
  change: string
  /** The rows, as what stands after `FROM`. */
  found: string
  /** In which order they are: that of the index that finds them, or the whole table might be read for the first of them. */
  order: string
  /** The column that finds one again. */
  key: string
}

/** A change of at most `BATCH_ROWS` rows, as SQL. Rows that somebody else has locked are left out. */
export const batchOf = ({ change, found, order, key }: Batch): string => `
  WITH changed AS (
    ${change} WHERE ${key} = ANY (ARRAY(
      SELECT ${key} FROM ${found} ORDER BY ${order} LIMIT ${String(BATCH_ROWS)} FOR UPDATE SKIP LOCKED)) RETURNING 1
  )
  SELECT count(*) AS count FROM changed`

/** The number that such a statement has returned. */
export function countIn(rows: readonly { count: number }[]): number {
  return rows[0]?.count ?? 0
}
