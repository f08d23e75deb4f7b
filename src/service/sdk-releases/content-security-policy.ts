interface Sources {
  scripts: string
  styles: string
  tokensUrl: string
  languagesUrl: string
  /** Origins whose pages may show the frame; none means every page may. */
  ancestors: readonly string[]
}

/**
 * What a frame document may do (CSP 3): run its own script and style, known by their hashes, send the one
 * tokenise request, load texts in other languages, and nothing else.
 */
export function frameContentSecurityPolicy({
  scripts,
  styles,
  tokensUrl,
  languagesUrl,
  ancestors,
}: Sources): string {
  const policy = [
    "default-src 'none'",
    `script-src ${scripts}`,
    `style-src ${styles}`,
    `connect-src ${tokensUrl} ${languagesUrl}`,
    "base-uri 'none'",
    "form-action 'none'",
  ]
  if (ancestors.length > 0) policy.push(`frame-ancestors ${ancestors.join(' ')}`)
  return policy.join('; ')
}
