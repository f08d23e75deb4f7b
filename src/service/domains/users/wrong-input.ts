import { ServiceError } from '../../platform/errors.ts'

/** Refuses one field of a form, in words that stand beside it. */
export function wrongInput(path: string, message: string): ServiceError {
  return new ServiceError('validation_error', 'The request is not valid. Correct what details names.', {
    details: [{ path, message }],
  })
}
