import { ServiceError } from '../../platform/errors.ts'
import type { Agreement } from './agreement.ts'

/** The ETag of an agreement: it changes with every change. */
export function entityTagOf({ revision }: Pick<Agreement, 'revision'>): string {
  return `"${String(revision)}"`
}

/** Entity tags in a list (RFC 9110, section 8.8.3); `W/` stands before a weak one. */
const TAGS = /^[ \t,]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*(?:,[ \t,]*|$))+$/
const TAG = /(?:W\/)?"[^"]*"/g

/**
 * Throws `precondition_failed` when an `If-Match` does not name the agreement as it is (RFC 9110, section 13.1.1): any by `*`, else by
 * a strong tag of its list.
 */
export function refuseIfChanged(agreement: Pick<Agreement, 'revision'>, ifMatch: string | undefined): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const tags: readonly string[] = TAGS.test(ifMatch) ? (ifMatch.match(TAG) ?? []) : []
  if (tags.includes(entityTagOf(agreement))) return
  throw new ServiceError(
    'precondition_failed',
    'The agreement has changed since it was read. Read it again; its ETag is what If-Match names.',
  )
}
