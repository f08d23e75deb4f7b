import type { FastifyRequest } from 'fastify'
import * as v from 'valibot'
import type { PageCredentials } from '../../page-credentials.ts'

/** An id that is named more than once is joined to one that no intent has. */
const IntentId = v.union([
  v.string(),
  v.pipe(
    v.array(v.string()),
    v.transform((ids) => ids.join()),
  ),
])
const DocumentQuery = v.object({ intent_id: v.optional(IntentId) })

/** Of `Authorization: Bearer …` and `?intent_id=…`. */
export function pageCredentialsOf(request: FastifyRequest): PageCredentials {
  return { token: bearerOf(request), documentOf: v.parse(DocumentQuery, request.query).intent_id }
}

const BEARER = /^Bearer ([\w.~+/-]+)$/i

/** The token of `Authorization: Bearer …` (RFC 6750, section 2.1), a JWT, which has no padding; null when there is none. */
function bearerOf({ headers }: FastifyRequest): string | null {
  return BEARER.exec(headers.authorization ?? '')?.[1] ?? null
}
