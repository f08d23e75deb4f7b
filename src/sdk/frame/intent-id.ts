/**
 * The intent that a token is for, read and not verified: the service does that. Empty for what is no token, which the
 * service then refuses in words.
 */
export function intentIdOf(token: string): string {
  try {
    const [, payload = ''] = token.split('.')
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return String(Reflect.get(Object(claims), 'sub') ?? '')
  } catch {
    return ''
  }
}
