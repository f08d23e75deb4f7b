import * as v from 'valibot'

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
