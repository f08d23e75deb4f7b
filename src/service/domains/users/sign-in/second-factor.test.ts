import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SignInBed } from '../testing/sign-in-bed.ts'
import {
  createSecondFactorBed,
  giveSecondFactor as give,
  REFUSED,
  SIGNED_IN,
} from '../testing/second-factor-bed.ts'
import type { SecondFactorBed } from '../testing/second-factor-bed.ts'

let bed: SignInBed
let withApp: SecondFactorBed['withApp']
let withPasswordOnly: SecondFactorBed['withPasswordOnly']
beforeAll(async () => {
  ;({ bed, withApp, withPasswordOnly } = await createSecondFactorBed())
})
afterAll(() => bed.service.close())

describe('an authenticator app', () => {
  it('counts from its first right code on', async () => {
    const person = await bed.addPerson()
    const page = await bed.signedIn(person)
    await page.post('/api/user/totp')
    const wrong = await page.post('/api/user/totp/confirm', { code: '000000' })
    expect(wrong).toMatchObject({ status: 400, error: { details: [{ path: 'code' }] } })
    expect(await bed.browser().post('/api/session', person)).toMatchObject(SIGNED_IN)
  })

  it('is asked for after the password, which alone opens nothing', async () => {
    const { person, code } = await withApp()
    const page = await withPasswordOnly(person)
    for (const url of ['/api/session', '/api/sessions', '/api/team', '/v1/charges'])
      expect([url, await page.get(url)]).toMatchObject([url, REFUSED])
    expect(await page.post('/api/session/confirm', { password: person.password })).toMatchObject(REFUSED)
    expect(await give(page, { code: await code() })).toMatchObject(SIGNED_IN)
    expect(await page.get('/api/session')).toMatchObject({
      status: 200,
      data: { user: { has_totp: true, recovery_codes_left: 10 } },
    })
  })

  it('makes a new token: one that was seen after the password is good for nothing', async () => {
    const { person, code } = await withApp()
    const page = await withPasswordOnly(person)
    const before = page.token
    await give(page, { code: await code() })
    expect(page.token).not.toBe(before)
    const thief = bed.browser()
    thief.token = before
    expect(await thief.get('/api/session')).toMatchObject(REFUSED)
    expect(await give(thief, { code: await code(1) })).toMatchObject(REFUSED)
  })

  it('gives codes that are good once, and none that is older than one used', async () => {
    const { person, code } = await withApp()
    expect(await give(await withPasswordOnly(person), { code: await code() })).toMatchObject(SIGNED_IN)
    expect(await give(await withPasswordOnly(person), { code: await code() })).toMatchObject(REFUSED)
    expect(await give(await withPasswordOnly(person), { code: await code(-1) })).toMatchObject(REFUSED)
    expect(await give(await withPasswordOnly(person), { code: await code(1) })).toMatchObject(SIGNED_IN)
  })

  it('lets one of two in who give the same code at the same time', async () => {
    const { person, code } = await withApp()
    const pages = [await withPasswordOnly(person), await withPasswordOnly(person)]
    const same = await code()
    const statuses = await Promise.all(pages.map(async (page) => (await give(page, { code: same })).status))
    expect(statuses.sort()).toEqual([201, 401])
  })

  it('can be tried five times in 15 minutes, and a right code is then refused too', async () => {
    const { person, code } = await withApp()
    const page = await withPasswordOnly(person)
    for (let tries = 0; tries < 4; tries += 1)
      expect(await give(page, { code: '000000' })).toMatchObject(REFUSED)
    expect(await give(page, { code: await code() })).toMatchObject({
      status: 429,
      error: { code: 'rate_limited' },
    })
  })

  it('must follow the password within ten minutes', async () => {
    const { person, code } = await withApp()
    const page = await withPasswordOnly(person)
    await bed.pass(9)
    const late = await withPasswordOnly(person)
    await bed.pass(1)
    expect(await give(page, { code: await code() })).toMatchObject(REFUSED)
    expect(await give(late, { code: await code() })).toMatchObject(SIGNED_IN)
  })

  it('opens a session that lasts as long as any other', async () => {
    const { person, code } = await withApp()
    const page = await withPasswordOnly(person)
    await give(page, { code: await code() })
    await bed.pass(60)
    expect(await page.get('/api/session')).toMatchObject({ status: 200 })
  })

  it('is removed by a fresh password, with the recovery codes', async () => {
    const { person, page } = await withApp()
    await bed.pass(10)
    expect(await page.remove('/api/user/totp')).toMatchObject({
      status: 403,
      error: { code: 'password_required' },
    })
    await page.post('/api/session/confirm', { password: person.password })
    expect(await page.remove('/api/user/totp')).toMatchObject({ status: 200 })
    expect(await page.remove('/api/user/totp')).toMatchObject({ status: 404 })
    expect(await page.get('/api/session')).toMatchObject({
      data: { user: { has_totp: false, recovery_codes_left: 0 } },
    })
    expect(await bed.browser().post('/api/session', person)).toMatchObject(SIGNED_IN)
  })

  it('is one: another needs the first to be removed', async () => {
    const { page } = await withApp()
    expect(await page.post('/api/user/totp')).toMatchObject({
      status: 422,
      error: { code: 'unfulfilled_condition' },
    })
  })
})
