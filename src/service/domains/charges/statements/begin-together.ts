import type { Database, Queries } from '../../../platform/database/database.ts'

/** What must come about for a sale to begin, in the same transaction; throws where it can't, and then no sale begins. */
export type InSameTransaction = (queries: Queries, chargeId: string) => Promise<void>

class NothingBegun extends Error {}

/** Runs both in one transaction: when `begin` returns no row, what `inSameTransaction` did is undone too. */
export async function beginTogether<Row>(
  database: Database,
  chargeId: string,
  inSameTransaction: InSameTransaction,
  begin: (queries: Queries) => Promise<Row[]>,
): Promise<Row[]> {
  try {
    return await database.transaction(async (queries) => {
      await inSameTransaction(queries, chargeId)
      const rows = await begin(queries)
      if (rows.length === 0) throw new NothingBegun()
      return rows
    })
  } catch (error) {
    if (error instanceof NothingBegun) return []
    throw error
  }
}
