import type { OauthOptions } from './sending/access-tokens.ts'
import type { GivenLimits } from './sending/retry-limits.ts'

/** What a client is made of. */
export interface ClientOptions {
  /** Where the service is, such as `https://cards.example`. Outside the sandbox it is https. */
  baseUrl: string
  /** `sk_…`: for everything but agreements. It belongs on a server, in its environment. */
  secretKey?: string | undefined
  /** For agreements: a client of the merchant, or what gets an access token where another issuer gives them. */
  oauth?: OauthOptions | undefined
  /** How long a call is tried: 5 times, 30 s each, 90 s in all. */
  retries?: GivenLimits | undefined
}

/** Options that were checked. */
export interface CheckedOptions {
  /** Without a slash at its end. */
  baseUrl: string
  secretKey: string | null
  oauth: OauthOptions | null
}

/** Throws a `TypeError` that names what is wrong, and repeats no key. */
export function checkedOptions(options: ClientOptions): CheckedOptions {
  refuseUnlessObject(options)
  const { baseUrl, secretKey, oauth } = options
  if (secretKey === undefined && oauth === undefined)
    throw new TypeError(
      'SvcClient needs a secretKey (sk_…), or oauth for agreements. Is the variable of the environment set?',
    )
  return {
    secretKey: secretKey === undefined ? null : checkedKey(secretKey),
    oauth: oauth ?? null,
    baseUrl: checkedBaseUrl(baseUrl, secretKey),
  }
}

function refuseUnlessObject(options: unknown): void {
  if (typeof options === 'object' && options !== null) return
  throw new TypeError('SvcClient is made of options: new SvcClient({ baseUrl, secretKey }).')
}

function checkedKey(key: unknown): string {
  if (typeof key !== 'string') throw new TypeError('secretKey must be a text: sk_….')
  if (key.startsWith('pk_'))
    throw new TypeError(
      'secretKey is a public key (pk_…), which stands in pages. SvcClient needs the secret key (sk_…).',
    )
  // Other characters can't be sent in a header, and the fault would repeat the key.
  if (!/^sk_[\w-]+$/.test(key))
    throw new TypeError('secretKey must be a secret key: sk_…, without spaces or quotes.')
  return key
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

function checkedBaseUrl(given: string, secretKey: string | undefined): string {
  if (!URL.canParse(given)) throw new TypeError('baseUrl must be an address, like https://cards.example.')
  const { protocol, hostname, username, password, search, hash, href } = new URL(given)
  if (![username, password, search, hash].every((part) => part === ''))
    throw new TypeError(
      'baseUrl must be an address without user, query and fragment, like https://cards.example.',
    )
  const isSandbox = secretKey?.startsWith('sk_sandbox_') === true
  const isPlainAllowed = isSandbox || LOOPBACK.test(hostname)
  if (protocol !== 'https:' && !(protocol === 'http:' && isPlainAllowed))
    throw new TypeError(
      'baseUrl must be https: the key goes along with every request. http is for the sandbox.',
    )
  return href.replace(/\/+$/, '')
}
