import type { FastifyInstance } from 'fastify'
import type { ShopKeys } from '../card-service/shop-keys.ts'

/**
 * Puts a strict Content-Security-Policy on every answer that has none of its own: own files, no inline script or style, and the card
 * service's origin for the widget's script and frame alone.
 */
export function addPageHeaders(app: FastifyInstance, keys: () => Promise<ShopKeys>): void {
  app.addHook('onSend', async (_, reply) => {
    const service = await keys().then(
      ({ service_url }) => new URL(service_url).origin,
      () => '',
    )
    if (!reply.hasHeader('content-security-policy')) reply.header('content-security-policy', policy(service))
    reply.header('x-content-type-options', 'nosniff')
    reply.header('referrer-policy', 'same-origin')
  })
}

function policy(service: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${service}`.trim(),
    service === '' ? "frame-src 'none'" : `frame-src ${service}`,
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

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
