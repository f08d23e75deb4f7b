import type { FastifyInstance } from 'fastify'
import type { ShopKeys } from '../card-service/shop-keys.ts'

/**
 * Adds a strict Content-Security-Policy to every answer without one of its own: the shop's files, no inline script or style,
 * and the card service's origin for the widget's script and frame only.
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

/** Directives of both policies. */
const SHOP_DIRECTIVES = [
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
]

function policy(service: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${service}`.trim(),
    service === '' ? "frame-src 'none'" : `frame-src ${service}`,
    ...SHOP_DIRECTIVES,
  ].join('; ')
}

/**
 * The Content-Security-Policy of a page that loads the recommended SDK release. Scripts run only with the page's nonce, so not
 * even the service's own origin can add one. The loader passes the nonce on, so `strict-dynamic` is not needed. Trusted Types
 * allow script addresses through the loader's policy only.
 */
export function recommendedSdkPolicy(sdkUrl: string, nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `frame-src ${new URL(sdkUrl).origin}`,
    ...SHOP_DIRECTIVES,
    "require-trusted-types-for 'script'",
    'trusted-types svc-load-sdk',
  ].join('; ')
}
