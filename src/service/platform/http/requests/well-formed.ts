import { isUtf8 as isUtf8Bytes } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { isWellFormed } from '../../../../contract/api/fields/text.ts'
import { ServiceError } from '../../errors.ts'

const words = 'must be well-formed text'

/**
 * Refuses an address with NUL in it, however it is written: no path or query of ours has one, and PostgreSQL can't store it. So is one whose
 * bytes are not UTF-8 (`caf%E9`): a list would be searched for other letters than were meant, and found empty.
 */
export function refuseBrokenAddresses(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.url.includes('%00') || !isUtf8(request.url)) done(notWellFormed('The address', undefined))
    else done()
  })
}

const ESCAPED_BYTES = /(?:%[\da-f]{2})+/gi

function isUtf8(url: string): boolean {
  if (!/%[89a-f]/i.test(url)) return true
  const bytes = url.match(ESCAPED_BYTES) ?? []
  return bytes.every((row) => isUtf8Bytes(Buffer.from(row.replaceAll('%', ''), 'hex')))
}

/**
 * Where a body holds what JSON can write and PostgreSQL can't store, as text or as jsonb: NUL and halves of surrogate pairs,
 * in names too. Both can only come as escapes: their raw bytes are not valid in UTF-8 or JSON. Null where there is neither.
 */
export function brokenTextIn(json: string, parsed: unknown): string | null {
  return json.includes('\\u') ? brokenPathIn(parsed) : null
}

/** Where in a parsed body the first broken text is, as names with dots between; null where there is none. */
function brokenPathIn(value: unknown): string | null {
  if (typeof value === 'string') return isWellFormed(value) ? null : ''
  if (typeof value !== 'object' || value === null) return null
  for (const [name, entry] of Object.entries(value)) {
    if (!isWellFormed(name)) return ''
    const path = brokenPathIn(entry)
    if (path !== null) return path === '' ? name : `${name}.${path}`
  }
  return null
}

/** `what` was not well formed; `path`: the field, where there is one. */
export function notWellFormed(what: string, path: string | undefined): ServiceError {
  return new ServiceError('validation_error', `${what} is not valid. It holds NUL or half a character.`, {
    ...(path !== undefined && { details: [{ path, message: words }] }),
  })
}
