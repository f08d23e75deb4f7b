import { ServiceError } from '../../../platform/errors.ts'

/** The same for every invalid link, so that nobody learns which ones existed. */
export function linkNotGood(): ServiceError {
  return new ServiceError(
    'not_found',
    'This link is not good any more: it was used or revoked, or is older than seven days. Ask for a new one.',
  )
}
