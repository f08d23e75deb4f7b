/** Most characters of the address of a shop's page. */
export const MAX_RETURN_URL = 2000

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/**
 * Whether a text is the address of a page that a person may be led back to: https, or http on this very machine. So it can be no script,
 * and it names no user.
 */
export function isReturnUrl(text: string): boolean {
  if (text.length > MAX_RETURN_URL || !URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))
  return isSafe && username + password === ''
}
