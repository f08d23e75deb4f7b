import pg from 'pg'
import { ServiceError } from '../errors.ts'

/** The database can't be used as it is; the message says why in one line. */
export class DatabaseFault extends Error {
  override readonly name = 'DatabaseFault'
}

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

/**
 * Codes of the system, and SQLSTATEs: 08, 28 and 3D000, no way in; 53 and 58, no memory, disk or connection left;
 * 57014, past the time that a statement may take, and 25P03 and 25P04, a transaction; 57P0, shut down or starting; 25006, a
 * standby, or what a fail-over has made one.
 */
const LOST =
  /^(?:ECONN|ENOENT|ETIMEDOUT|EPIPE|EHOST|ENET|ENOTFOUND|EAI_AGAIN|08|25006|25P0[34]|28|3D000|53|57014|57P0|58)/
/** Words of the driver and its pool, where there is no code. */
const LOST_WORDS =
  /^(?:Connection terminated|timeout exceeded|timeout expired|Query read timeout|Client has encountered|Client was closed)/

/** Whether the server could not be reached, was lost on the way, or is temporarily unavailable. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return LOST.test(code) || LOST_WORDS.test(error.message)
}

/** The error that a caller gets in its place. */
export function unavailable(cause: unknown): ServiceError {
  const words = 'The database cannot be reached just now. Try again in a moment.'
  return new ServiceError('service_unavailable', words, { retryAfter: 2, cause })
}
