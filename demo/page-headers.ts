import type { FastifyInstance } from 'fastify'
import type { ShopKeys } from './shop-keys.ts'

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
