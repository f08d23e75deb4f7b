import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SessionEntry, SessionView, inViewOf } from '../../../contract/dashboard/people/session-view.ts'
import { openEvents } from '../../testing/event-source.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { openBrowser } from './testing/browser.ts'
import type { Browser } from './testing/browser.ts'
import { createSignInBed, memberId } from './testing/sign-in-bed.ts'
import type { SignInBed, Person } from './testing/sign-in-bed.ts'

let bed: SignInBed
let another: TestService
beforeAll(async () => {
  bed = await createSignInBed()
  another = await createTestService({ database: bed.service.database })
})
afterAll(async () => {
  await another.close()
  await bed.service.close()
})

const REFUSED = { status: 401, error: { code: 'unauthorized' } }
const OK = { status: 200 }
const listOf = async (page: Browser) => v.parse(v.array(SessionEntry), (await page.get('/api/sessions')).data)

/** The same cookie, sent to another process. */
function atAnotherProcess(page: Browser): Browser {
  const same = openBrowser(another.dashboard.app)
  same.token = page.token
  return same
}

describe('a session ends', () => {
  it('two hours after its last use', async () => {
    const page = await bed.signedIn(await bed.addPerson())
    for (let uses = 0; uses < 3; uses += 1) {
      await bed.pass(119)
      expect(await page.get('/api/session')).toMatchObject(OK)
    }
    await bed.pass(120)
    expect(await page.get('/api/session')).toMatchObject(REFUSED)
  })

  it('24 hours after sign-in, however much it is used', async () => {
    const page = await bed.signedIn(await bed.addPerson())
    for (let hours = 0; hours < 23; hours += 1) {
      await bed.pass(60)
      expect(await page.get('/api/session')).toMatchObject(OK)
    }
    await bed.pass(60)
    expect(await page.get('/api/session')).toMatchObject(REFUSED)
  })

  it('although it is rechecked, which is no use of it', async () => {
    const page = await bed.signedIn(await bed.addPerson())
    const headers = { cookie: `svc_session=${page.token}` }
    await bed.pass(119)
    expect(await bed.service.users.recheckSession({ headers })).not.toBeNull()
    await bed.pass(1)
    expect(await bed.service.users.recheckSession({ headers })).toBeNull()
  })

  it('although its page goes on asking by itself', async () => {
    const page = await bed.signedIn(await bed.addPerson())
    await bed.pass(60)
    for (let times = 0; times < 2; times += 1) {
      expect(await page.getUnattended('/api/session')).toMatchObject(OK)
      expect(await page.getUnattended('/v1/charges')).toMatchObject(OK)
      await bed.pass(30)
    }
    expect(await page.get('/v1/charges')).toMatchObject(REFUSED)
  })

  it('although its page listens to live events', async () => {
    const page = await bed.signedIn(await bed.addPerson())
    const address = await bed.service.dashboard.app.listen({ port: 0, host: '127.0.0.1' })
    await bed.pass(60)
    const events = await openEvents(`${address}/api/live`, { cookie: `svc_session=${page.token ?? ''}` })
    expect(events.status).toBe(200)
    events.close()
    await bed.pass(60)
    expect(await page.get('/api/session')).toMatchObject(REFUSED)
  })

  it('by sign-out, at once at every process, and its cookie goes', async () => {
    const page = await bed.signedIn(await bed.addPerson())
    const elsewhere = atAnotherProcess(page)
    expect(await elsewhere.get('/api/session')).toMatchObject(OK)
    expect(await page.remove('/api/session')).toMatchObject({
      status: 200,
      headers: { 'set-cookie': 'svc_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict' },
    })
    expect(await elsewhere.get('/api/session')).toMatchObject(REFUSED)
  })

  it('by sign-out everywhere, with the person’s other sessions', async () => {
    const person = await bed.addPerson()
    const pages = [await bed.signedIn(person), await bed.signedIn(person)]
    const elsewhere = pages.map(atAnotherProcess)
    const colleague = await bed.signedIn(await bed.addPerson())
    expect(await pages[0]?.remove('/api/sessions')).toMatchObject(OK)
    for (const page of elsewhere) expect(await page.get('/api/session')).toMatchObject(REFUSED)
    expect(await colleague.get('/api/session')).toMatchObject(OK)
  })

  it('and is deleted later', async () => {
    await bed.pass(24 * 60)
    await bed.service.runJob('forget ended sessions')
    const left = testStatement('t_sessions_left', 'SELECT id FROM user_sessions')
    expect(await bed.service.database.run(left, [])).toEqual([])
  })
})

describe('the sessions of a person', () => {
  it('are listed with their addresses, and can be ended one by one', async () => {
    const person = await bed.addPerson()
    const [here, there] = [await bed.signedIn(person), await bed.signedIn(person)]
    const listed = await listOf(here)
    const other = listed.find(({ address }) => address === there.address)
    expect(other).toMatchObject({ user_agent: 'Test browser', is_current: false })
    expect(listed.find(({ is_current }) => is_current)).toMatchObject({ address: here.address })
    expect(await here.remove(`/api/sessions/${other?.id}`)).toMatchObject(OK)
    expect(await there.get('/api/session')).toMatchObject(REFUSED)
    expect(await here.remove(`/api/sessions/${other?.id}`)).toMatchObject({ status: 404 })
  })

  it('cannot be seen or ended by others', async () => {
    const page = await bed.signedIn(await bed.addPerson())
    const stranger = await bed.signedIn(await bed.addPerson())
    for (const { id } of await listOf(page))
      expect(await stranger.remove(`/api/sessions/${id}`)).toMatchObject({ status: 404 })
    const addresses = (await listOf(stranger)).map(({ address }) => address)
    expect(addresses).not.toContain(page.address)
  })
})

describe('a person of two merchants', () => {
  let person: Person
  let other: string
  let page: Browser
  beforeAll(async () => {
    other = (await bed.service.makeMerchant()).merchant.id
    person = await bed.addPerson({ role: 'viewer' })
    const token = await bed.invite(person.email, 'owner', other)
    page = bed.browser()
    await page.post('/api/invitations/accept', { token, password: person.password })
  })

  it('sees one at a time, in the role there', async () => {
    const before = await page.get('/api/session')
    expect(before).toMatchObject({ data: { merchant: { id: other }, user: { role: 'owner' } } })
    expect(await page.post('/api/session/merchant', { id: bed.merchantId })).toMatchObject({ status: 201 })
    expect(await page.get('/api/session')).toMatchObject({
      data: { merchant: { id: bed.merchantId }, user: { role: 'viewer' }, merchants: [{}, {}] },
    })
    expect(await page.post('/api/team/invitations', { email: 'x@y.example', role: 'viewer' })).toMatchObject({
      status: 403,
    })
  })

  it('does nothing from a window that still shows another merchant or person', async () => {
    const window = await bed.signedIn(person)
    const { user } = v.parse(SessionView, (await window.get('/api/session')).data)
    await window.post('/api/session/merchant', { id: other })
    for (const inView of [inViewOf(user.id, bed.merchantId), inViewOf('f'.repeat(24), other)]) {
      window.inView = inView
      expect(await window.patch('/api/company', { name: 'Wrong one' })).toMatchObject({ status: 403 })
      expect(await window.get('/v1/charges')).toMatchObject({ status: 403, data: null })
    }
    window.inView = inViewOf(user.id, other)
    expect(await window.get('/api/company')).toMatchObject({ status: 200, data: { name: 'Test' } })
    expect(await window.patch('/api/company', { name: 'Right one' })).toMatchObject({ status: 200 })
  })

  it('comes back to the last used one', async () => {
    for (const id of [bed.merchantId, other, bed.merchantId]) {
      await page.post('/api/session/merchant', { id })
      const again = await bed.signedIn(person)
      expect(await again.get('/api/session')).toMatchObject({ data: { merchant: { id } } })
    }
  })

  it('cannot choose a third one', async () => {
    const { merchant } = await bed.service.makeMerchant()
    for (const id of [merchant.id, 'f'.repeat(24)])
      expect(await page.post('/api/session/merchant', { id })).toMatchObject({ status: 404 })
  })

  it('loses the sessions at a merchant that removes them, and keeps the others', async () => {
    const [here, there] = [await bed.signedIn(person), await bed.signedIn(person)]
    await here.post('/api/session/merchant', { id: bed.merchantId })
    await there.post('/api/session/merchant', { id: other })
    const elsewhere = atAnotherProcess(here)
    const owner = await bed.signedIn(await bed.addPerson())
    expect(await owner.remove(`/api/team/members/${await memberId(owner, person)}`)).toMatchObject(OK)
    expect(await elsewhere.get('/api/session')).toMatchObject(REFUSED)
    expect(await there.get('/api/session')).toMatchObject({ data: { merchants: [{ id: other }] } })
    expect(await there.post('/api/session/merchant', { id: bed.merchantId })).toMatchObject({ status: 404 })
  })
})
