interface Sources {
  scripts: string
  styles: string
  /** Addresses that it may ask. */
  asked: readonly string[]
  /** Origins whose pages may show the frame; none means every page may. */
  ancestors: readonly string[]
}

/**
 * What a frame document may do (CSP 3): run its own script and style, known by their hashes, ask the
 * service what it has to ask, load texts in other languages, and nothing else.
 */
export function frameContentSecurityPolicy({ scripts, styles, asked, ancestors }: Sources): string {
  const policy = [
    "default-src 'none'",
    `script-src ${scripts}`,
    `style-src ${styles}`,
    `connect-src ${asked.join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
  ]
  if (ancestors.length > 0) policy.push(`frame-ancestors ${ancestors.join(' ')}`)
  return policy.join('; ')
}
