import { parseSetCookie } from 'cookie'
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { IN_VIEW, UNATTENDED } from '../../../../contract/dashboard/people/session-view.ts'
import { Envelope } from '../../../../contract/api/envelope.ts'

const ORIGIN = 'http://localhost:8070'

/** The answer to a page of the dashboard. */
export interface PageAnswer {
  status: number
  /** `resource.data`. */
  data: unknown
  error: Envelope['error']
  headers: Record<string, unknown>
}

/** A browser with a page of the dashboard. It keeps cookies and sends the headers of a browser. */
export interface Browser {
  address: string
  get: (url: string) => Promise<PageAnswer>
  /** The same, by the page itself while nobody uses it. */
  getUnattended: (url: string) => Promise<PageAnswer>
  post: (url: string, payload?: object) => Promise<PageAnswer>
  patch: (url: string, payload: object) => Promise<PageAnswer>
  remove: (url: string) => Promise<PageAnswer>
  /** The person and merchant that the page shows, as `inViewOf` writes them; null: it sends none. */
  inView: string | null
  /** The session cookie. */
  token: string | null
  /** The device cookie. */
  device: string | null
}

let browsers = 0

/** By default each has an address of its own, so that tests do not share a throttle. */
export function openBrowser(app: FastifyInstance, address = nextAddress()): Browser {
  type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
  const ask = async (
    method: Method,
    url: string,
    payload?: object,
    more: Record<string, string> = {},
  ): Promise<PageAnswer> => {
    const answer = await app.inject({
      method,
      url,
      remoteAddress: address,
      headers: {
        origin: ORIGIN,
        'sec-fetch-site': 'same-origin',
        'user-agent': 'Test browser',
        ...more,
        ...(browser.inView !== null && { [IN_VIEW]: browser.inView }),
        ...(browser.token !== null || browser.device !== null ? { cookie: cookiesOf(browser) } : {}),
      },
      ...(payload !== undefined && { payload }),
    })
    for (const header of [answer.headers['set-cookie'] ?? []].flat()) {
      const { name, value = '' } = parseSetCookie(header)
      browser[name === 'svc_device' ? 'device' : 'token'] = value === '' ? null : value
    }
    const { error, resource } = v.parse(Envelope, JSON.parse(answer.body))
    return { status: answer.statusCode, data: resource.data, error, headers: answer.headers }
  }
  const browser: Browser = {
    address,
    token: null,
    device: null,
    inView: null,
    get: (url) => ask('GET', url),
    getUnattended: (url) => ask('GET', url, undefined, { [UNATTENDED]: 'true' }),
    post: (url, payload = {}) => ask('POST', url, payload),
    patch: (url, payload) => ask('PATCH', url, payload),
    remove: (url) => ask('DELETE', url),
  }
  return browser
}

function cookiesOf({ token, device }: Pick<Browser, 'token' | 'device'>): string {
  const pairs = [token === null ? [] : `svc_session=${token}`, device === null ? [] : `svc_device=${device}`]
  return pairs.flat().join('; ')
}

export function nextAddress(): string {
  browsers += 1
  return `10.1.${Math.floor(browsers / 250)}.${(browsers % 250) + 1}`
}
