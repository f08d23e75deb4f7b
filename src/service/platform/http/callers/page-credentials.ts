import type { FastifyRequest } from 'fastify'
import * as v from 'valibot'

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

/** What the page of a checkout sends to say whose it is. */
export interface PageCredentials {
  /** The intent's token; null when there is none. */
  token: string | null
  /** The intent whose document the page is; undefined if it names none. */
  documentOf: string | undefined
}
