import type { FastifyRequest } from 'fastify'

const form = /^Bearer ([\w.~+/-]+=*)$/i

/** The token of `Authorization: Bearer …` (RFC 6750, section 2.1); null when there is none. */
export function bearerOf({ headers }: FastifyRequest): string | null {
  return form.exec(headers.authorization ?? '')?.[1] ?? null
}
