import { generate } from 'otplib'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RecoveryCodes } from '../../../contract/dashboard/people/user-settings.ts'
import {
  createRecoveryCodes,
  createTotpSecret,
  recoveryCodeHash,
  stepOfCode,
  totpUri,
} from './second-factors.ts'
import type { SignInBed } from './testing/sign-in-bed.ts'
import {
  createSecondFactorBed,
  giveSecondFactor as give,
  REFUSED,
  SIGNED_IN,
} from './testing/second-factor-bed.ts'
import type { SecondFactorBed } from './testing/second-factor-bed.ts'

let bed: SignInBed
let withApp: SecondFactorBed['withApp']
let withPasswordOnly: SecondFactorBed['withPasswordOnly']
beforeAll(async () => {
  ;({ bed, withApp, withPasswordOnly } = await createSecondFactorBed())
})
afterAll(() => bed.service.close())

describe('an authenticator app', () => {
  it('is a factor from its first right code on', async () => {
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

  it('makes a new token, and the one from before is useless', async () => {
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

  it('has codes that work once, and none older than the last used', async () => {
    const { person, code } = await withApp()
    expect(await give(await withPasswordOnly(person), { code: await code() })).toMatchObject(SIGNED_IN)
    expect(await give(await withPasswordOnly(person), { code: await code() })).toMatchObject(REFUSED)
    expect(await give(await withPasswordOnly(person), { code: await code(-1) })).toMatchObject(REFUSED)
    expect(await give(await withPasswordOnly(person), { code: await code(1) })).toMatchObject(SIGNED_IN)
  })

  it('signs in one of two who give the same code at once', async () => {
    const { person, code } = await withApp()
    const pages = [await withPasswordOnly(person), await withPasswordOnly(person)]
    const same = await code()
    const statuses = await Promise.all(pages.map(async (page) => (await give(page, { code: same })).status))
    expect(statuses.sort()).toEqual([201, 401])
  })

  it('takes five tries in 15 minutes, then refuses a right code, too', async () => {
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

  it('is removed after a fresh password, with the recovery codes', async () => {
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

  it('must be removed before another is added', async () => {
    const { page } = await withApp()
    expect(await page.post('/api/user/totp')).toMatchObject({
      status: 422,
      error: { code: 'unfulfilled_condition' },
    })
  })
})

describe('a recovery code', () => {
  it('replaces the app once, however it is typed', async () => {
    const { person, recoveryCodes } = await withApp()
    const [code = ''] = recoveryCodes
    const page = await withPasswordOnly(person)
    expect(await give(page, { recovery_code: code.toUpperCase().replaceAll('-', ' ') })).toMatchObject(
      SIGNED_IN,
    )
    expect(await page.get('/api/session')).toMatchObject({ data: { user: { recovery_codes_left: 9 } } })
    expect(await give(await withPasswordOnly(person), { recovery_code: code })).toMatchObject(REFUSED)
  })

  it('is refused in words if it is empty', async () => {
    const { person } = await withApp()
    expect(await give(await withPasswordOnly(person), { recovery_code: '' })).toMatchObject({
      status: 400,
      error: { details: [{ path: 'recovery_code', message: 'must not be empty' }] },
    })
  })

  it('is refused if it is another person’s', async () => {
    const { recoveryCodes } = await withApp()
    const { person } = await withApp()
    expect(await give(await withPasswordOnly(person), { recovery_code: recoveryCodes[0] })).toMatchObject(
      REFUSED,
    )
  })

  it('is void once there are new ones', async () => {
    const { person, page, recoveryCodes } = await withApp()
    const renewed = await page.post('/api/user/recovery_codes')
    const { recovery_codes: next } = v.parse(RecoveryCodes, renewed.data)
    expect(await give(await withPasswordOnly(person), { recovery_code: recoveryCodes[1] })).toMatchObject(
      REFUSED,
    )
    expect(await give(await withPasswordOnly(person), { recovery_code: next[1] })).toMatchObject(SIGNED_IN)
  })

  it('is not made without a second factor to stand in for', async () => {
    const page = await bed.signedIn(await bed.addPerson())
    expect(await page.post('/api/user/recovery_codes')).toMatchObject({ status: 422 })
  })
})

it('the audit log has each sign-in and change of factors', async () => {
  const before = (await bed.events()).length
  const { person, recoveryCodes, code } = await withApp()
  await give(await withPasswordOnly(person), { code: '000000' })
  await give(await withPasswordOnly(person), { code: await code() })
  await give(await withPasswordOnly(person), { recovery_code: recoveryCodes[0] })
  const events = (await bed.events())
    .slice(before)
    .map(({ type, facts }) => [type, facts['by'] ?? facts['reason']])
  expect(events).toEqual([
    ['member.invited', undefined],
    ['member.joined', undefined],
    ['user.signed_in', ['password']],
    ['user.signed_in', ['password']],
    ['user.totp_added', undefined],
    ['user.recovery_codes_made', undefined],
    ['user.sign_in_failed', 'totp'],
    ['user.signed_in', ['password', 'totp']],
    ['user.signed_in', ['password', 'recovery_code']],
  ])
})

// RFC 6238, appendix B: the secret `12345678901234567890` in base32, and its codes' last six digits.
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

describe('the code of an authenticator app', () => {
  it.each([
    [59, '287082', 1],
    [1_111_111_109, '081804', 37_037_036],
    [1_234_567_890, '005924', 41_152_263],
    [2_000_000_000, '279037', 66_666_666],
  ])('is that of RFC 6238 at %i s', async (seconds, code, step) => {
    expect(await stepOfCode(SECRET, code, seconds * 1000)).toBe(step)
  })

  it.each([
    [-60, null],
    [-30, 999],
    [0, 1000],
    [30, 1001],
    [60, null],
  ])('of %i s from now belongs to step %j', async (seconds, step) => {
    const code = await generate({ secret: SECRET, epoch: 30_000 + seconds })
    expect(await stepOfCode(SECRET, code, 30_000_000)).toBe(step)
  })

  it('of another secret is refused', async () => {
    const code = await generate({ secret: createTotpSecret(), epoch: 30_000 })
    expect([await stepOfCode(SECRET, code, 30_000_000)]).toEqual([null])
  })
})

it('an app is set up with a secret of 160 bits and the e-mail address', () => {
  const secret = createTotpSecret()
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(totpUri(secret, { issuer: 'Card service', email: 'ada@acme.example' })).toBe(
    `otpauth://totp/Card%20service:ada%40acme.example?secret=${secret}&issuer=Card%20service`,
  )
})

it('ten different recovery codes are made, of letters that are not confused', () => {
  const codes = createRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^(?:[a-hj-km-np-z2-9]{4}-){3}[a-hj-km-np-z2-9]{4}$/)
})

it('a recovery code matches however it is typed, for its person only', () => {
  const hash = recoveryCodeHash('u1', 'k7wp-3xmd-9qhr-t2ce')
  for (const typed of ['K7WP3XMD9QHRT2CE', ' k7wp 3xmd 9qhr t2ce ', 'k7wp_3xmd_9qhr_t2ce'])
    expect(recoveryCodeHash('u1', typed)).toEqual(hash)
  expect(recoveryCodeHash('u2', 'k7wp-3xmd-9qhr-t2ce')).not.toEqual(hash)
  expect(recoveryCodeHash('u1', 'k7wp-3xmd-9qhr-t2cd')).not.toEqual(hash)
})
