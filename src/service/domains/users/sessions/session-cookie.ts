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
export const createSessionCookie = (origin: string): SessionCookie => createCookie(origin, 'svc_session')

/** As long as a place is remembered in which somebody has signed in: 90 days. */
const DEVICE_SECONDS = 90 * 24 * 3600

/**
 * The cookie by which a browser is known again in which somebody has signed in: a random mark that lets nobody in. It outlives the
 * session, and keeps the way in open for its person while strangers guess.
 */
export const createDeviceCookie = (origin: string): SessionCookie =>
  createCookie(origin, 'svc_device', DEVICE_SECONDS)

function createCookie(origin: string, plainName: string, maxAge?: number): SessionCookie {
  const isSecure = origin.startsWith('https:')
  const name = isSecure ? `__Host-${plainName}` : plainName
  const attributes = { httpOnly: true, secure: isSecure, sameSite: 'strict', path: '/' } as const
  const write = (reply: FastifyReply, value: string, more: { maxAge?: number } = {}) =>
    void reply.header('set-cookie', stringifySetCookie({ name, value, ...attributes, ...more }))
  return {
    read({ headers }) {
      const token = parseCookie(headers.cookie ?? '')[name]
      return token === undefined || token === '' ? null : token
    },
    set: (reply, token) => write(reply, token, maxAge === undefined ? {} : { maxAge }),
    clear: (reply) => write(reply, '', { maxAge: 0 }),
  }
}
