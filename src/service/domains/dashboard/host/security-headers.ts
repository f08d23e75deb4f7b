import type { FastifyInstance } from 'fastify'

/** What an answer that is no document may do in a browser: nothing, and be framed by nobody. */
const POLICY_OF_ANSWERS = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/**
 * What the dashboard's document may do (CSP 3, Trusted Types): its own files, its own API, and a preview of the card form in a
 * sandboxed frame of the origin that the SDK is served from.
 */
export function policyOfDocument(widgetUrl: string): string {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    `frame-src ${widgetUrl}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]
  return policy.join('; ')
}

/** No page of another origin opens, frames, loads or learns of what is here. */
const ALWAYS = {
  'content-security-policy': POLICY_OF_ANSWERS,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
}

/** Two years, as browsers' preload lists ask for at least one. */
const HSTS = { 'strict-transport-security': 'max-age=63072000' }

/** Marks every answer of the dashboard. `origin` is its own: on https browsers are told never to come by http again. */
export function addSecurityHeaders(app: FastifyInstance, origin: string): void {
  const headers = { ...ALWAYS, ...(origin.startsWith('https:') && HSTS) }
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(headers)
    done()
  })
}
