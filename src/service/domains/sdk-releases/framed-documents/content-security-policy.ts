import { isPageOrigin } from '../../../../contract/api/fields/page-origin.ts'

interface Sources {
  scripts: string
  styles: string
  /** Addresses that it may ask; their queries don't count (CSP 3 §2.3.1). */
  asked: readonly string[]
  ancestors: Ancestors
}

/** Origins whose pages may show a document; an empty list means every page may, `nobody` that none may. */
export type Ancestors = readonly string[] | 'nobody'

/**
 * What a frame document may do (CSP 3): run its own script and style, known by their hashes, ask the
 * service what it has to ask, load texts in other languages, and nothing else.
 */
export function frameContentSecurityPolicy({ scripts, styles, asked, ancestors }: Sources): string {
  const policy = [
    "default-src 'none'",
    `script-src ${scripts}`,
    `style-src ${styles}`,
    `connect-src ${asked.map(withoutQuery).join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors(ancestors)}`,
  ]
  return policy.join('; ')
}

function frameAncestors(ancestors: Ancestors): string {
  if (ancestors === 'nobody') return "'none'"
  if (ancestors.length === 0) return '*'
  // What is no origin could end the directive and begin another.
  return ancestors.filter(isPageOrigin).join(' ') || "'none'"
}

function withoutQuery(address: string): string {
  return address.replace(/\?.*/, '')
}
