import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../errors.ts'

/** For a body of another media type than the route takes: what to send instead. */
export function wrongMediaType({ routeOptions: { config } }: FastifyRequest): ServiceError {
  return new ServiceError('unsupported_media_type', wordsFor(config))
}

function wordsFor({ takesForm, operation }: FastifyRequest['routeOptions']['config']): string {
  if (takesForm === true)
    return 'Send a form with the header content-type: application/x-www-form-urlencoded.'
  return operation !== undefined && operation.body === undefined
    ? 'Send no body: nothing is read from it here.'
    : 'Send JSON with the header content-type: application/json.'
}
