import { bigint } from '../database/sql-types.ts'

/** Rows that one statement changes at most where there may be any number: it takes some 20 ms. */
export const PIECE = 1000

/** What such a statement returns: how many rows it has changed. */
export const pieceColumns = { count: bigint }

/**
 * An `UPDATE` or `DELETE` of at most `PIECE` rows, as SQL. `change`: it, without a condition; `found`: the rows, as what stands after
 * `FROM`; `key`: the column that finds one again. Rows that somebody else has locked are left out.
 */
export const pieceOf = ({ change, found, key }: { change: string; found: string; key: string }): string => `
  WITH changed AS (
    ${change} WHERE ${key} = ANY (ARRAY(SELECT ${key} FROM ${found} LIMIT ${String(PIECE)} FOR UPDATE SKIP LOCKED)) RETURNING 1
  )
  SELECT count(*) AS count FROM changed`

/** The number that such a statement has returned. */
export function countIn(rows: readonly { count: number }[]): number {
  return rows[0]?.count ?? 0
}
