import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../errors.ts'

/** For a body of another media type than the route takes: what to send instead. */
export function wrongMediaType({ routeOptions }: FastifyRequest): ServiceError {
  const wanted =
    routeOptions.config.takesForm === true
      ? 'a form with the header content-type: application/x-www-form-urlencoded'
      : 'JSON with the header content-type: application/json'
  return new ServiceError('unsupported_media_type', `Send ${wanted}.`)
}
