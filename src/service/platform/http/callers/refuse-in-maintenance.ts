import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../errors.ts'
import type { Maintenance } from '../../maintenance/maintenance.ts'

/**
 * During maintenance only the service's health and reference are served, and what is no operation of the API: files and documents
 * for browsers, and preflight requests. The dashboard's own routes are recognised by their permission.
 */
export function refuseInMaintenance(
  app: FastifyInstance,
  { retryAfter }: Pick<Maintenance, 'retryAfter'>,
): void {
  // After every onRequest, so that a refusal too carries the headers by which a page of another origin may read it.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const seconds = retryAfter()
    const { operation, permission, isFile } = request.routeOptions.config
    const isOperation = operation !== undefined || permission !== undefined
    const isServed =
      !isOperation || isFile === true || operation?.isAlwaysServed === true || operation?.isReference === true
    if (seconds === null || isServed) done(null, payload)
    else done(inMaintenance(seconds))
  })
}

function inMaintenance(retryAfter: number): ServiceError {
  const words = 'The service is in maintenance. Nothing was done; try again after Retry-After seconds.'
  return new ServiceError('service_unavailable', words, { retryAfter })
}
