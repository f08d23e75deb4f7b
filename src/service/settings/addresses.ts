import * as v from 'valibot'

interface Urls {
  SVC_ENVIRONMENT: string
  SVC_BASE_URL?: string | undefined
  SVC_WIDGET_URL?: string | undefined
}

/** Why cards can't be taken at these addresses in production: they would travel in plain, or never arrive. Null when they can. */
export function publicUrlFault(settings: Urls): string | null {
  if (settings.SVC_ENVIRONMENT !== 'production_svc') return null
  if (settings.SVC_BASE_URL === undefined)
    return 'SVC_BASE_URL must be set in production_svc: the https origin at which merchants reach the service'
  const { SVC_BASE_URL, SVC_WIDGET_URL = SVC_BASE_URL } = settings
  const wrong = Object.entries({ SVC_BASE_URL, SVC_WIDGET_URL }).find(([, url]) => !isPublic(url))
  return wrong === undefined
    ? null
    : `${wrong[0]} must be an https origin of a public host in production_svc, not ${wrong[1]}`
}

const OF_THIS_MACHINE = /^(?:localhost|.+\.localhost|127\..+|0\.0\.0\.0|\[::1?\])$/

/** Whether nobody on another machine can reach what is at this address. */
export function isOfThisMachine(url: string): boolean {
  return OF_THIS_MACHINE.test(new URL(url).hostname)
}

function isPublic(url: string): boolean {
  return new URL(url).protocol === 'https:' && !isOfThisMachine(url)
}

/** `SVC_OAUTH_ISSUER`. It is compared with `iss` letter by letter (RFC 8414, section 2), so it is kept as it was written. */
export const OauthIssuer = v.pipe(
  v.string(),
  v.check(isIssuer, 'must be the URL of an issuer such as https://id.example.com/acme'),
)

/** No user, query or fragment, and written as it will be asked for. */
function isIssuer(url: string): boolean {
  if (!/^https?:\/\/[^\s?#@]+$/.test(url) || !URL.canParse(url)) return false
  return new URL(url).href.replace(/\/$/, '') === url.replace(/\/$/, '')
}

interface Settings {
  SVC_OAUTH_ISSUER?: string | undefined
  SVC_ENVIRONMENT: string
}

/** False where others could change the issuer's keys on their way: who does that signs tokens for anyone. */
export function isSafeIssuer({ SVC_OAUTH_ISSUER: url, SVC_ENVIRONMENT: environment }: Settings): boolean {
  return url?.startsWith('http:') !== true || environment === 'sandbox'
}
