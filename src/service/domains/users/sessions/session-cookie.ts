import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * The session's cookie: no script reads it, and no other site's request carries it. It ends with the browser. On https its
 * name keeps other hosts of the domain from setting it (RFC 6265bis §4.1.3.2).
 */
export interface SessionCookie {
  /** The token that a request carries; null without one. */
  read: (request: Pick<FastifyRequest, 'headers'>) => string | null
  set: (reply: FastifyReply, token: string) => void
  clear: (reply: FastifyReply) => void
}

/** `origin`: the dashboard's. */
export function createSessionCookie(origin: string): SessionCookie {
  const isSecure = origin.startsWith('https:')
  const name = isSecure ? '__Host-svc_session' : 'svc_session'
  const attributes = { httpOnly: true, secure: isSecure, sameSite: 'strict', path: '/' } as const
  const write = (reply: FastifyReply, value: string, more: { maxAge?: number } = {}) =>
    void reply.header('set-cookie', stringifySetCookie({ name, value, ...attributes, ...more }))
  return {
    read({ headers }) {
      const token = parseCookie(headers.cookie ?? '')[name]
      return token === undefined || token === '' ? null : token
    },
    set: (reply, token) => write(reply, token),
    clear: (reply) => write(reply, '', { maxAge: 0 }),
  }
}
