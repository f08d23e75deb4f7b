import { ServiceError } from '../../errors.ts'

/** A list of entity tags (RFC 9110, section 8.8.3); a weak one begins with `W/`. */
const TAGS = /^[ \t,]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*(?:,[ \t,]*|$))+$/
const TAG = /(?:W\/)?"[^"]*"/g

/**
 * Throws `precondition_failed` if an `If-Match` does not name a thing by the tag that it has now (RFC 9110, section 13.1.1): `*` names
 * any, a list names it by a strong tag.
 */
export function refuseIfChanged(thing: string, tag: string, ifMatch: string | undefined): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const tags: readonly string[] = TAGS.test(ifMatch) ? (ifMatch.match(TAG) ?? []) : []
  if (tags.includes(tag)) return
  throw new ServiceError(
    'precondition_failed',
    `The ${thing} has changed since it was read. Read it again; its ETag is what If-Match names.`,
  )
}
