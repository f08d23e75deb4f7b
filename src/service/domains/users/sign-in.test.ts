import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { senderAt } from '../../platform/http/callers/sender.ts'
import { monotonicClock } from '../../platform/clocks.ts'
import { createIds } from '../../platform/identifiers.ts'
import { createRateWindowStore } from '../../platform/rate-limits.ts'
import { createSetClock } from '../../testing/set-clock.ts'
import { createTestService } from '../../testing/test-service.ts'
import { checkPassword } from './sign-in.ts'
import { openBrowser } from './testing/browser.ts'
import { createSignInBed, memberId } from './testing/sign-in-bed.ts'
import type { SignInBed, Person } from './testing/sign-in-bed.ts'
import { createThrottle } from './throttle.ts'

let bed: SignInBed
let ada: Person
beforeAll(async () => {
  bed = await createSignInBed()
  ada = await bed.addPerson()
})
afterAll(() => bed.service.close())

describe('signing in by e-mail address and password', () => {
  it('opens a session that names the person and the merchant', async () => {
    const page = bed.browser()
    expect(await page.get('/api/session')).toMatchObject({ status: 401, error: { code: 'unauthorized' } })
    expect(await page.post('/api/session', ada)).toMatchObject({
      status: 201,
      data: { state: 'signed_in' },
    })
    expect(await page.get('/api/session')).toMatchObject({
      status: 200,
      data: {
        user: { email: ada.email, role: 'owner', has_totp: false, passkeys: 0, recovery_codes_left: 0 },
        merchant: { id: bed.merchantId, name: 'Test' },
        merchants: [{ id: bed.merchantId, name: 'Test', role: 'owner' }],
        time_zone: 'Australia/Sydney',
        environment: 'sandbox',
        service_url: 'http://localhost:8080',
      },
    })
  })

  it('accepts the address in capitals and with a space', async () => {
    const written = ` ${ada.email.replace('person', 'PERSON').replace('acme', 'Acme')}`
    expect(await bed.browser().post('/api/session', { ...ada, email: written })).toMatchObject({
      status: 201,
    })
  })

  it('answers an unknown address, a wrong password and no merchant alike', async () => {
    const other = await bed.service.makeMerchant()
    const gone = await bed.addPerson({ merchantId: other.merchant.id })
    const owner = await bed.signedIn(await bed.addPerson({ merchantId: other.merchant.id }))
    await owner.remove(`/api/team/members/${await memberId(owner, gone)}`)
    const answers = []
    for (const wrong of [
      { email: 'nobody@acme.example', password: ada.password },
      { email: ada.email, password: 'not the password of Ada' },
      gone,
    ]) {
      const { headers, ...answer } = await bed.browser().post('/api/session', wrong)
      const varying = new Set(['x-request-id', 'date'])
      answers.push({ ...answer, headers: Object.entries(headers).filter(([name]) => !varying.has(name)) })
    }
    expect(answers[0]).toMatchObject({ status: 401, error: { code: 'unauthorized' } })
    expect(answers[0]?.headers.some(([name]) => name === 'set-cookie')).toBe(false)
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
  })

  it('records successes and failures, without an unknown address', async () => {
    const before = (await bed.events()).length
    const page = bed.browser('203.0.113.7')
    await page.post('/api/session', { ...ada, password: 'not the password of Ada' })
    await page.post('/api/session', { email: 'nobody@acme.example', password: 'whatever it may be' })
    await page.post('/api/session', ada)
    const [wrong, unknown, right] = (await bed.events()).slice(before)
    const facts = { address: '203.0.113.7', user_agent: 'Test browser' }
    expect(wrong).toMatchObject({
      type: 'user.sign_in_failed',
      actor: 'service',
      merchant_id: bed.merchantId,
      facts: { ...facts, reason: 'password' },
    })
    expect(unknown).toEqual({
      type: 'user.sign_in_failed',
      actor: 'service',
      subject: 'service',
      merchant_id: '',
      facts: { ...facts, reason: 'email' },
    })
    expect(right).toMatchObject({
      type: 'user.signed_in',
      actor: `user:${wrong?.subject}`,
      subject: wrong?.subject,
      facts: { ...facts, by: ['password'] },
    })
  })
})

describe('an address that nobody has', () => {
  it('takes the same work, and gets the same words', async () => {
    const [known, unknown] = [await stepsFor(ada.email), await stepsFor('nobody@acme.example')]
    const [find, count, record] = ['run find_user_by_email', 'count account', 'record the failure']
    expect(known.steps).toEqual([find, count, 'compare with the kept', record])
    expect(unknown.steps).toEqual([find, count, 'compare with nobody’s', record])
    expect(String(unknown.refusal)).toBe(String(known.refusal))
    const reasons = (await bed.events()).slice(-2).map(({ facts }) => facts['reason'])
    expect(reasons).toEqual(['password', 'email'])
  })

  /** What a check of a wrong password does, in order. */
  async function stepsFor(email: string) {
    const steps: string[] = []
    const note = (step: string) => {
      steps.push(step)
      return Promise.resolve()
    }
    const { database } = bed.service
    const { timeOfDay } = createSetClock(Date.now())
    const store = createRateWindowStore(database)
    const throttle = createThrottle({ store, clock: monotonicClock, onFault: () => undefined })
    const deps: Parameters<typeof checkPassword>[0] = {
      createId: createIds(timeOfDay),
      database: {
        ...database,
        run: (asked, values) => note(`run ${asked.name}`).then(() => database.run(asked, values)),
        transaction: (work) => note('record the failure').then(() => database.transaction(work)),
      },
      throttle: { ...throttle, account: () => note('count account') },
      hashes: {
        hash: () => Promise.reject(new Error('nothing is hashed')),
        matches: (kept) => note(`compare with ${kept === null ? 'nobody’s' : 'the kept'}`).then(() => false),
      },
    }
    const { address, caller: network } = senderAt('203.0.113.7')
    const requester = { address, network, userAgent: '', device: null }
    const refusal: unknown = await checkPassword(deps, { email, password: 'wrong' }, requester).catch(
      (error: unknown) => error,
    )
    return { steps, refusal }
  }
})

describe('the session’s cookie', () => {
  it('is read by no script and sent by no other site', async () => {
    const { headers } = await bed.browser().post('/api/session', ada)
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^svc_session=svc_session_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/),
      expect.stringMatching(/^svc_device=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Strict$/),
    ])
  })

  it('is sent over https only if the dashboard is on https', async () => {
    const secure = await createTestService({
      database: bed.service.database,
      settings: { SVC_DASHBOARD_URL: 'https://dashboard.example' },
    })
    const answer = await secure.dashboard.app.inject({
      method: 'POST',
      url: '/api/session',
      headers: { origin: 'https://dashboard.example' },
      payload: ada,
    })
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-svc_session=svc_session_[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      ),
      expect.stringMatching(/^__Host-svc_device=[\w-]{43}; .*HttpOnly; Secure; SameSite=Strict$/),
    ])
    await secure.close()
  })

  it('is new after sign-in, and the old one opens nothing', async () => {
    const page = bed.browser()
    page.token = 'a'.repeat(43)
    await page.post('/api/session', ada)
    const first = page.token
    expect(first).not.toBe('a'.repeat(43))
    await page.post('/api/session', ada)
    expect(page.token).not.toBe(first)
    const thief = openBrowser(bed.service.dashboard.app)
    for (const token of ['a'.repeat(43), first]) {
      thief.token = token
      expect(await thief.get('/api/session')).toMatchObject({ status: 401 })
    }
  })
})
