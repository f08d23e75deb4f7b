import type { FastifyInstance } from 'fastify'

/** Answers other than the document may do nothing in a browser, and nobody may frame them. */
const POLICY_OF_ANSWERS = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/**
 * The document's policy (CSP 3, Trusted Types): its own files and API, and a preview of the card form in a sandboxed frame of
 * the SDK's origin.
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

/** Pages of other origins can neither open, frame nor load what is here. */
const ALWAYS = {
  'content-security-policy': POLICY_OF_ANSWERS,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
}

/** Two years, as browsers' preload lists ask for at least one. */
const HSTS = { 'strict-transport-security': 'max-age=63072000' }

/** Adds the headers to every answer. On https they forbid browsers to use http for this `origin` again. */
export function addSecurityHeaders(app: FastifyInstance, origin: string): void {
  const headers = { ...ALWAYS, ...(origin.startsWith('https:') && HSTS) }
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(headers)
    done()
  })
}
