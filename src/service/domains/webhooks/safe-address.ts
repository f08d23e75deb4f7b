import { MAX_URL_LENGTH } from '../../../contract/api/webhook.ts'
import { ServiceError } from '../../platform/errors.ts'

/**
 * A URL that events may be sent to, as it is understood and kept, which need not be as it was written. Throws `validation_error` for
 * any other. In sandbox a server on this machine may go without TLS.
 */
export function safeAddress(url: string, isSandbox: boolean): string {
  const { protocol, hostname, username, password, hash, href } = new URL(url)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol !== 'https:' && !(isSandbox && isLocal && protocol === 'http:')) {
    throw refused(
      isSandbox ? 'must begin with https:// (http:// for localhost only)' : 'must begin with https://',
    )
  }
  if (username !== '' || password !== '') throw refused('may hold no user name or password')
  if (hash !== '') throw refused('may hold no fragment (#)')
  if (href.length > MAX_URL_LENGTH) throw refused(`may have ${MAX_URL_LENGTH} characters at most`)
  return href
}

function refused(message: string): ServiceError {
  const details = [{ path: 'url', message }]
  return new ServiceError('validation_error', 'The request is not valid. Correct what details names.', {
    details,
  })
}
