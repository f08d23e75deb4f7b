import type { FastifyRequest } from 'fastify'
import * as v from 'valibot'

/** What the page of a checkout sends to say whose it is. */
export interface PageCredentials {
  /** Of `Authorization: Bearer …`; null when there is none. */
  token: string | null
  /** The intent that the page's document is of, from its address; undefined where it names none. */
  documentOf: unknown
}

const DocumentQuery = v.object({ intent_id: v.optional(v.unknown()) })

export function pageCredentialsOf(request: FastifyRequest): PageCredentials {
  return { token: bearerOf(request), documentOf: v.parse(DocumentQuery, request.query).intent_id }
}

const BEARER = /^Bearer ([\w.~+/-]+)$/i

/** The token of `Authorization: Bearer …` (RFC 6750, section 2.1), a JWT, which has no padding; null when there is none. */
function bearerOf({ headers }: FastifyRequest): string | null {
  return BEARER.exec(headers.authorization ?? '')?.[1] ?? null
}
