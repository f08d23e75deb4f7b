import * as v from 'valibot'
import { proxyOf } from '../platform/outbound/proxy.ts'
import type { Proxies } from '../platform/outbound/proxy.ts'

/** In place of a URL: requests go straight to their servers. */
const NONE = 'none'

const proxy = v.optional(
  v.pipe(
    v.string(),
    v.check(
      isProxy,
      'must be none, or the URL of an HTTP proxy such as http://user:password@proxy.example.com:3128',
    ),
  ),
)
const file = v.optional(v.string())

export const proxyVariables = {
  SVC_OUTBOUND_PROXY: proxy,
  SVC_OUTBOUND_PROXY_FILE: file,
  SVC_WEBHOOKS_PROXY: proxy,
  SVC_WEBHOOKS_PROXY_FILE: file,
  SVC_GATEWAYS_PROXY: proxy,
  SVC_GATEWAYS_PROXY_FILE: file,
  SVC_KEY_SERVICE_PROXY: proxy,
  SVC_KEY_SERVICE_PROXY_FILE: file,
}

/** Those that may hold a password. */
export const PROXY_SECRETS = [
  'SVC_OUTBOUND_PROXY',
  'SVC_WEBHOOKS_PROXY',
  'SVC_GATEWAYS_PROXY',
  'SVC_KEY_SERVICE_PROXY',
]

export function proxiesOf(
  variables: v.InferOutput<v.ObjectSchema<typeof proxyVariables, undefined>>,
): Proxies {
  const { SVC_OUTBOUND_PROXY: common = NONE } = variables
  const proxyFor = (own = common) => (own === '' || own === NONE ? null : proxyOf(own))
  return {
    webhooks: proxyFor(variables.SVC_WEBHOOKS_PROXY),
    gateways: proxyFor(variables.SVC_GATEWAYS_PROXY),
    keyService: proxyFor(variables.SVC_KEY_SERVICE_PROXY),
    issuer: proxyFor(),
  }
}

function isProxy(text: string): boolean {
  if (text === '' || text === NONE) return true
  if (!/^https?:\/\/[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) return false
  const { pathname, search, hash, username, password } = new URL(text)
  if (pathname + search + hash !== '/' || decoded(password) === null) return false
  // Basic authentication ends the user at the first colon (RFC 7617).
  return decoded(username)?.includes(':') === false
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
