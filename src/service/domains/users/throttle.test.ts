import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { nextAddress, openBrowser } from './testing/browser.ts'
import { createSignInBed } from './testing/sign-in-bed.ts'
import type { SignInBed } from './testing/sign-in-bed.ts'

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

const LIMITED = { status: 429, error: { code: 'rate_limited' } }

/** Tries from a new address each time, at both processes in turn. */
async function guess(email: string, times: number): Promise<number[]> {
  const apps = [bed.service.dashboard.app, another.dashboard.app]
  const statuses: number[] = []
  for (let tries = 0; tries < times; tries += 1) {
    const [app = apps[0]] = [apps[tries % 2]]
    if (app === undefined) throw new Error('there is no process')
    const page = openBrowser(app)
    statuses.push((await page.post('/api/session', { email, password: 'a wrong password' })).status)
  }
  return statuses
}

const left = testStatement<{ ms: number }>(
  't_left_of_window',
  'SELECT (1000 * (900 - extract(epoch FROM now()) % 900))::float8 AS ms',
)

describe('guesses at one account from many addresses', () => {
  // What processes count together is counted in windows: none may end in the middle of a test.
  beforeEach(async () => {
    const [{ ms } = { ms: 0 }] = await bed.service.database.run(left, [])
    if (ms < 8000) await sleep(ms)
  }, 20_000)

  it('are limited to ten in 15 minutes, at all processes together', async () => {
    const { email } = await bed.addPerson()
    expect(await guess(email, 12)).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
  })

  it('are counted alike for an unknown e-mail address', async () => {
    expect(await guess('nobody@acme.example', 11)).toEqual([...Array.from({ length: 10 }, () => 401), 429])
  })

  it('keep out strangers with the password, but not the owner at the usual place', async () => {
    const person = await bed.addPerson()
    const usual = nextAddress()
    expect(await bed.browser(usual).post('/api/session', person)).toMatchObject({ status: 201 })
    await guess(person.email, 11)
    expect(await bed.browser().post('/api/session', person)).toMatchObject(LIMITED)
    expect(await bed.browser(usual).post('/api/session', person)).toMatchObject({ status: 201 })
    expect(await openBrowser(another.dashboard.app, usual).post('/api/session', person)).toMatchObject({
      status: 201,
    })
  })

  it('do not keep the owner out of a browser that is known', async () => {
    const person = await bed.addPerson()
    const usual = bed.browser()
    expect(await usual.post('/api/session', person)).toMatchObject({ status: 201 })
    await guess(person.email, 11)
    const elsewhere = bed.browser()
    expect(await elsewhere.post('/api/session', person)).toMatchObject(LIMITED)
    elsewhere.device = usual.device
    expect(await elsewhere.post('/api/session', person)).toMatchObject({ status: 201 })
  })

  it('are told to wait for at most 15 minutes', async () => {
    const person = await bed.addPerson()
    await guess(person.email, 10)
    const { headers } = await bed.browser().post('/api/session', person)
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(900)
  })
})

it('one address may try 30 times in 5 minutes, whatever it tries', async () => {
  const page = bed.browser()
  const token = `svc_invitation_${'a'.repeat(43)}`
  for (let tries = 0; tries < 10; tries += 1) {
    const wrong = { email: `nobody-${tries}@acme.example`, password: 'a wrong password' }
    expect(await page.post('/api/session', wrong)).toMatchObject({ status: 401 })
    expect(await page.post('/api/session/passkey/options')).toMatchObject({ status: 200 })
    expect(await page.post('/api/invitations/read', { token })).toMatchObject({ status: 404 })
  }
  expect(await page.post('/api/session', await bed.addPerson())).toMatchObject(LIMITED)
  expect(await page.post('/api/session/passkey/options')).toMatchObject(LIMITED)
  expect(await page.post('/api/invitations/read', { token })).toMatchObject(LIMITED)
})

it('one address may give 30 second factors in 5 minutes, counted apart', async () => {
  const page = bed.browser()
  const token = `svc_session_${'a'.repeat(43)}`
  const statuses: number[] = []
  for (let tries = 0; tries < 31; tries += 1) {
    page.token = token
    const factor = tries % 2 === 0 ? { code: '000000' } : { recovery_code: 'aaaaa-bbbbb' }
    statuses.push((await page.post('/api/session/second_factor', factor)).status)
  }
  expect(new Set(statuses.slice(0, 30))).toEqual(new Set([401]))
  expect(statuses.at(-1)).toBe(429)
  // It is refused before its body is read.
  expect(await page.post('/api/session/second_factor', { x: 'y'.repeat(9000) })).toMatchObject(LIMITED)
  expect(await page.post('/api/session', await bed.addPerson())).toMatchObject({ status: 201 })
})

it('each route that is open without a session counts by address', async () => {
  const open = bed.service.dashboard.routes.filter(
    ({ method, permission }) => method === 'POST' && permission === 'none',
  )
  expect(open.length).toBeGreaterThan(5)
  for (const { path } of open) {
    const page = bed.browser()
    const statuses: number[] = []
    for (let tries = 0; tries < 31; tries += 1) statuses.push((await page.post(path)).status)
    expect([path, statuses.indexOf(429)]).toEqual([path, 30])
  }
})

it('all addresses of one IPv6 network count as one', async () => {
  const statuses: number[] = []
  for (let tries = 0; tries < 31; tries += 1) {
    const page = bed.browser(`2001:db8:1:2::${(tries + 1).toString(16)}`)
    statuses.push((await page.post('/api/session/passkey/options')).status)
  }
  expect(statuses.slice(-2)).toEqual([200, 429])
})
