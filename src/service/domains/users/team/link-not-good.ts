import { ServiceError } from '../../../platform/errors.ts'

/** The same for every link that is none, so that nobody learns which there were. */
export function linkNotGood(): ServiceError {
  return new ServiceError(
    'not_found',
    'This link is not good any more: it was used or revoked, or is older than seven days. Ask for a new one.',
  )
}
