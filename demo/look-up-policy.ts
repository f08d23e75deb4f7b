/**
 * The Content-Security-Policy of the page that loads the SDK release it is told. Scripts run by the page's nonce alone,
 * so not even the service's own origin can add one; `strict-dynamic` is not needed, for the loader hands the nonce on.
 * Trusted Types let no text become a script address but through the loader's own policy.
 */
export function lookUpPolicy(sdkUrl: string, nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `frame-src ${new URL(sdkUrl).origin}`,
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types svc-load-sdk',
  ].join('; ')
}
