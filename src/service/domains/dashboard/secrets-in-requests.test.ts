import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testStatement } from '../../testing/test-statement.ts'
import { SPELLINGS_OF_TOKENS } from '../../testing/spellings.ts'
import { storedRows } from '../../testing/stored-rows.ts'
import { DASHBOARD } from './testing/signed-in.ts'
import { createSignInBed } from '../users/testing/sign-in-bed.ts'
import type { Person, SignInBed } from '../users/testing/sign-in-bed.ts'
import type { Browser } from '../users/testing/browser.ts'

let bed: SignInBed
let person: Person
let page: Browser
let token: string
beforeAll(async () => {
  bed = await createSignInBed()
  person = await bed.addPerson()
  page = await bed.signedIn(person)
  token = await bed.service.tokenise()
})
afterAll(() => bed.service.close())

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH'
const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH']

/** A request of the person's page. */
async function send(
  method: string,
  url: string,
  payload?: object,
  { remoteAddress, ...headers }: Record<string, string> = {},
) {
  const known = METHODS.find((one) => one === method)
  const cookie = `svc_session=${page.token ?? ''}`
  const own = { origin: DASHBOARD, 'sec-fetch-site': 'same-origin', cookie, ...headers }
  return bed.service.dashboard.app.inject({
    ...(known !== undefined && { method: known }),
    url,
    headers: own,
    ...(remoteAddress !== undefined && { remoteAddress }),
    ...(payload && { payload }),
  })
}

/** For each route of the dashboard, bodies with a text in the place of a value. Empty: the route keeps no text. */
const BODIES: Readonly<Record<string, readonly ((text: string) => object)[]>> = {
  'POST /api/session': [(text) => ({ email: `${text}@acme.example`, password: 'quiet river stone' })],
  'POST /api/session/second_factor': [(text) => ({ code: text })],
  'POST /api/session/passkey/options': [],
  'POST /api/session/passkey': [],
  'POST /api/session/confirm': [],
  'POST /api/session/merchant': [(id) => ({ id })],
  'POST /api/invitations/read': [(text) => ({ token: text })],
  'POST /api/invitations/accept': [
    (name) => ({ token: `svc_invitation_${'x'.repeat(43)}`, name, password: 'quiet river stone' }),
  ],
  'POST /api/team/invitations': [(text) => ({ email: `${text}@acme.example`, role: 'viewer' })],
  'PATCH /api/team/members/:id': [(role) => ({ role })],
  'PATCH /api/user': [(name) => ({ name }), (text) => ({ time_zone: text })],
  'POST /api/user/password': [],
  'POST /api/user/totp': [],
  'POST /api/user/totp/confirm': [(code) => ({ code })],
  'POST /api/user/recovery_codes': [],
  'POST /api/user/passkeys/options': [],
  'POST /api/user/passkeys': [(name) => ({ name, response: {} })],
  'PATCH /api/company': [(name) => ({ name })],
  'PUT /api/origins': [
    (text) => ({ allowed_origins: [`https://${text}.example`] }),
    (text) => ({ allowed_origins: [text] }),
  ],
  'POST /api/gateways': [
    (name) => ({
      name,
      type: 'adyen',
      is_default: false,
      credentials: { api_key: 'k', merchant_account: 'a', base_url: 'https://checkout-test.adyen.com/v71' },
    }),
    (text) => ({
      name: 'Adyen',
      type: 'adyen',
      is_default: false,
      credentials: {
        api_key: text,
        merchant_account: text,
        base_url: `https://checkout-test.adyen.com/${text}`,
      },
    }),
  ],
  'PATCH /api/gateways/:id': [],
  'POST /api/gateways/:id/test': [],
  'PUT /api/gateways/:id/credentials': [
    (text) => ({ api_key: text, base_url: `https://checkout-test.adyen.com/${text}` }),
  ],
  'POST /api/gateways/:id/notifications/password': [],
  'PUT /api/gateways/:id/notifications/signing_key': [(text) => ({ signing_key: text })],
  'POST /api/gateways/:id/notifications/test': [],
  'POST /api/notifications/:id/dismiss': [],
  'POST /api/keys': [(kind) => ({ kind, overlap_seconds: 0 })],
  'POST /api/clients': [(text) => ({ scopes: [text] })],
  'POST /api/clients/:id/secret': [],
}

describe('a secret of the service in a request', () => {
  it('is tried at every route that takes a body', () => {
    const own = bed.service.dashboard.routes
      .filter(({ method, path }) => path.startsWith('/api/') && ['POST', 'PUT', 'PATCH'].includes(method))
      .map(({ method, path }) => `${method} ${path}`)
    expect(own.sort()).toEqual(Object.keys(BODIES).sort())
  })

  const cases = Object.entries(BODIES).flatMap(([route, bodies]) =>
    bodies.map((body) => [route, body] as const),
  )
  it.each(cases)('is refused by %s, and is in no table and no log', async (route, body) => {
    const [method = '', path = ''] = route.split(' ')
    for (const spell of Object.values(SPELLINGS_OF_TOKENS)) {
      const text = spell(token)
      const url = path.replace(':id', 'f'.repeat(24))
      const answer = await send(method, url, body(text))
      expect([text, Math.floor(answer.statusCode / 100)]).toEqual([text, 4])
      expect(answer.body).not.toContain(text)
    }
    await nothingIsKept()
  })

  it('is in no table and no log as an id, in a query or as a user agent', async () => {
    for (const { method, path } of bed.service.dashboard.routes) {
      if (path === '/api/live' || method === 'DELETE') continue
      await send(method, `${path.replace(/:\w+|\*/g, token)}?cursor=${token}&search=${token}`, undefined, {
        'user-agent': token,
        referer: token,
        'x-request-id': token,
      })
    }
    // From another place, as the tries of the tests before it count.
    const elsewhere = { remoteAddress: '203.0.113.77', 'user-agent': `Browser ${token}` }
    const answer = await send('POST', '/api/session', person, elsewhere)
    expect(answer.statusCode).toBe(201)
    const agents = testStatement<{ user_agent: string }>(
      't_agents',
      'SELECT user_agent FROM user_sessions ORDER BY created_at DESC LIMIT 1',
    )
    expect(await bed.service.database.run(agents, [])).toEqual([{ user_agent: '[one-time token]' }])
    await nothingIsKept()
  })

  async function nothingIsKept(): Promise<void> {
    const kept = (await storedRows(bed.service.database)).join('\n') + bed.service.logged()
    const digits = token.replaceAll('-', '')
    expect(kept.includes(token)).toBe(false)
    expect(
      kept
        .toLowerCase()
        .replace(/[^\da-f]/g, '')
        .includes(digits),
    ).toBe(false)
  }
})
