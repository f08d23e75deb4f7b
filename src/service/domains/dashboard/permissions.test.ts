import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { permits } from '../../../contract/dashboard/people/permission.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { createDashboardBed } from './testing/dashboard-bed.ts'
import type { DashboardBed } from './testing/dashboard-bed.ts'
import { asking, createTestSessions } from './testing/signed-in.ts'
import type { AskDashboard } from './testing/signed-in.ts'
import type { PermittedRoute } from './permissions.ts'

const sessions = createTestSessions()
let service: TestService
let ask: AskDashboard
let routes: readonly PermittedRoute[]
/** The routes without live events, whose answer does not end. */
let ending: readonly PermittedRoute[]
beforeAll(async () => {
  service = await createTestService({ findSession: sessions.findSession })
  ask = asking(service)
  routes = service.dashboard.routes.filter(({ permission }) => permission !== 'none')
  ending = routes.filter(({ path }) => path !== '/api/live')
})
afterAll(() => service.close())

/** A change of the team looks the person up among its owners again, and these people are in no team. */
const NO_OWNER = 'You are not an owner any more.'
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
/** A request to a route, with an unknown id. */
function requestTo({ method, path }: PermittedRoute) {
  const known = METHODS.find((one) => one === method)
  if (known === undefined) throw new Error(`${method} is not looked at here`)
  return {
    method: known,
    url: path.replace(/:\w+/g, 'f'.repeat(24)),
    ...(known !== 'GET' && known !== 'DELETE' && { payload: {} }),
  }
}
const nameOf = ({ method, path }: PermittedRoute) => `${method} ${path}`

describe('every route of the dashboard', () => {
  it('refuses a request without a session', async () => {
    expect(routes.length).toBeGreaterThan(25)
    for (const route of routes) {
      const { status } = await ask('', requestTo(route))
      expect([nameOf(route), status]).toEqual([nameOf(route), 401])
    }
  })

  it.each(['owner', 'developer', 'viewer'] as const)(
    'permits a role what the table says: %s',
    async (role) => {
      const cookie = sessions.open({ merchantId: service.merchant.merchant.id, role })
      for (const route of ending) {
        const { permission } = route
        const { body } = await ask(cookie, requestTo(route))
        const isForbidden = body.error?.code === 'forbidden' && body.error.message !== NO_OWNER
        expect([nameOf(route), isForbidden]).toEqual([
          nameOf(route),
          permission !== 'none' && !permits(role, permission),
        ])
      }
    },
  )

  it('lets a viewer only read, and change the own account', () => {
    const open = routes.filter(
      ({ method, permission }) => method !== 'GET' && permission !== 'none' && permits('viewer', permission),
    )
    expect(open.filter(({ permission }) => permission !== 'own_account').map(nameOf)).toEqual([])
  })

  it('refuses a change by a page of another origin, whoever is signed in', async () => {
    const cookie = sessions.open({ merchantId: service.merchant.merchant.id })
    const changing = service.dashboard.routes.filter(({ method }) => method !== 'GET')
    for (const route of changing) {
      const { status } = await ask(cookie, {
        ...requestTo(route),
        headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      })
      expect([nameOf(route), status]).toEqual([nameOf(route), 403])
    }
  })

  it('asks for a fresh password, if it needs one, before anything else', async () => {
    const cookie = sessions.open({ merchantId: service.merchant.merchant.id, isFresh: false })
    for (const route of ending) {
      const { body } = await ask(cookie, requestTo(route))
      const isAsked = body.error?.code === 'password_required'
      expect([nameOf(route), isAsked]).toEqual([nameOf(route), route.needsFreshPassword])
    }
  })
})

describe('a request whose body comes slowly', () => {
  let bed: DashboardBed
  beforeAll(async () => {
    bed = await createDashboardBed()
  })
  afterAll(() => bed.service.close())

  /** Asks for a webhook. `meanwhile` happens after the headers are checked and before the body ends. */
  async function askSlowly(cookie: string, meanwhile: () => unknown) {
    const payload = new PassThrough()
    const json = JSON.stringify({ url: 'https://shop.example/hook' })
    payload.write(json.slice(0, 10))
    const found = new Promise<void>((resolve) => bed.sessions.onFound(resolve))
    const headers = { 'transfer-encoding': 'chunked' }
    const answer = bed.ask(cookie, { method: 'POST', url: '/v1/webhooks', headers, payload })
    await found
    await turn()
    await meanwhile()
    payload.end(json.slice(10))
    return answer
  }
  const openSession = () => bed.sessions.open({ merchantId: bed.service.merchant.merchant.id })
  const webhooks = async () => (await bed.ask(bed.owner, { url: '/v1/webhooks' })).body.resource.data

  it('is answered as any other', async () => {
    expect(await askSlowly(openSession(), () => undefined)).toMatchObject({ status: 201 })
  })

  it.each<[string, (cookie: string) => void, object]>([
    ['the session has ended', (cookie) => bed.sessions.end(cookie), { status: 401 }],
    [
      'the role no longer permits it',
      (cookie) => bed.sessions.change(cookie, { role: 'viewer' }),
      { status: 403 },
    ],
    [
      'the session has gone on to another merchant',
      (cookie) => bed.sessions.change(cookie, { merchantId: 'another' }),
      { status: 403, body: { error: { code: 'forbidden' } } },
    ],
  ])('does nothing if meanwhile %s', async (_name, happen, refusal) => {
    const before = await webhooks()
    const cookie = openSession()
    expect(await askSlowly(cookie, () => happen(cookie))).toMatchObject(refusal)
    expect(await webhooks()).toEqual(before)
  })
})
