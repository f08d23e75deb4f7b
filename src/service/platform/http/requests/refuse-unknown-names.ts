import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ErrorDetail } from '../../../../contract/api/envelope.ts'
import { invalidRequest } from '../../errors.ts'
import type { Operation } from '../operation.ts'

/**
 * Refuses, on every route that takes a merchant's key, query names that the route does not have, and a body where it takes none: an
 * amount that is not read could move more money than was meant (contract §2). Unknown fields of a body are refused by its schema.
 */
export function refuseUnknownNames(app: FastifyInstance): void {
  app.addHook('preHandler', (request, _reply, done) => {
    const { operation } = request.routeOptions.config
    const details =
      operation === undefined || !TAKES_KEYS.has(operation.key) ? [] : faultsOf(request, operation)
    done(details.length === 0 ? undefined : invalidRequest(details))
  })
}

const TAKES_KEYS: ReadonlySet<Operation['key']> = new Set(['public', 'secret', 'oauth', 'checkout'])

function faultsOf({ query, body }: FastifyRequest, operation: Operation): ErrorDetail[] {
  const known = operation.query === undefined ? [] : namesOf(operation.query)
  const unknown = namesIn(query).filter((name) => !known.includes(name))
  const words =
    known.length === 0
      ? 'is not known here: nothing is read from the query'
      : `is not known here; known: ${known.join(', ')}`
  const faults = unknown.map((path) => ({ path, message: words }))
  const isBare = operation.body !== undefined || body === undefined || isEmpty(body)
  return isBare ? faults : [...faults, { path: '', message: 'takes no body: nothing is read from it' }]
}

function namesOf({ schema }: NonNullable<Operation['query']>): readonly string[] {
  return 'entries' in schema ? namesIn(schema.entries) : []
}

function namesIn(value: unknown): readonly string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : []
}

/** `{}`, as some clients send it with every request. */
function isEmpty(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && namesIn(body).length === 0
}
