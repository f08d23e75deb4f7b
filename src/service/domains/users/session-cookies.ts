import { randomBytes } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A cookie that no script reads and no other site's request carries. */
export interface Cookie {
  /** Null if the request has none. */
  read: (request: Pick<FastifyRequest, 'headers'>) => string | null
  set: (reply: FastifyReply, value: string) => void
  clear: (reply: FastifyReply) => void
}

/** The session's token. The cookie ends with the browser. `origin` is the dashboard's. */
export const createSessionCookie = (origin: string): Cookie => createCookie(origin, 'svc_session')

/** As long as sign-in remembers a place: 90 days. */
const DEVICE_SECONDS = 90 * 24 * 3600

/**
 * A random mark that recognises a browser that somebody has signed in with. It signs nobody in: it outlives the session, so that
 * the throttle lets this person sign in while strangers guess.
 */
export const createDeviceCookie = (origin: string): Cookie =>
  createCookie(origin, 'svc_device', DEVICE_SECONDS)

const MARK = /^[\w-]{43}$/

/** The mark of a device cookie, or a new one if the browser has none. */
export function deviceMarkOf(given: string | null): string {
  return given !== null && MARK.test(given) ? given : randomBytes(32).toString('base64url')
}

/** On https the name's prefix keeps other hosts of the domain from setting the cookie (RFC 6265bis §4.1.3.2). */
function createCookie(origin: string, plainName: string, maxAge?: number): Cookie {
  const isSecure = origin.startsWith('https:')
  const name = isSecure ? `__Host-${plainName}` : plainName
  const attributes = { httpOnly: true, secure: isSecure, sameSite: 'strict', path: '/' } as const
  const write = (reply: FastifyReply, value: string, more: { maxAge?: number } = {}) =>
    void reply.header('set-cookie', stringifySetCookie({ name, value, ...attributes, ...more }))
  return {
    read({ headers }) {
      const value = parseCookie(headers.cookie ?? '')[name]
      return value === undefined || value === '' ? null : value
    },
    set: (reply, value) => write(reply, value, maxAge === undefined ? {} : { maxAge }),
    clear: (reply) => write(reply, '', { maxAge: 0 }),
  }
}
