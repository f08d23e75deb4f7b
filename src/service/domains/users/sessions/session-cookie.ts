import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** How the session's cookie is called, and whether browsers may send it over https only. */
export interface CookieSettings {
  name: string
  isSecure: boolean
}

/** The session's cookie: no script reads it, and no other site's request carries it. It ends with the browser. */
export interface SessionCookie {
  /** The token that a request carries; null without one. */
  read: (request: Pick<FastifyRequest, 'headers'>) => string | null
  set: (reply: FastifyReply, token: string) => void
  clear: (reply: FastifyReply) => void
}

export function createSessionCookie({ name, isSecure }: CookieSettings): SessionCookie {
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
