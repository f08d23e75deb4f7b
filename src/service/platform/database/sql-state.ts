import pg from 'pg'

/** What PostgreSQL and its distributed relatives answer when a transaction must simply be run again. */
const RUN_AGAIN = new Set(['40001', '40P01'])

export function mustRunAgain(error: unknown): boolean {
  return RUN_AGAIN.has(sqlStateOf(error))
}

/** Whether a statement failed because a row with the same value in this unique index is there already. */
export function isConflict(error: unknown, index: string): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === index
}

/** Whether a statement has waited for a lock as long as it may (`lock_timeout`), or that is why the database is unavailable. */
export function isLockTimeout(error: unknown): boolean {
  const isIt = (one: unknown) => sqlStateOf(one) === '55P03'
  return isIt(error) || (error instanceof Error && isIt(error.cause))
}

function sqlStateOf(error: unknown): string {
  return error instanceof pg.DatabaseError ? (error.code ?? '') : ''
}
