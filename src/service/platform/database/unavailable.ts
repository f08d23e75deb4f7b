import { ServiceError } from '../errors.ts'

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
