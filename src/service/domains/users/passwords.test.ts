import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfirmedView } from '../../../contract/dashboard/people/sign-in.ts'
import { commonPasswords, passwordFault } from './passwords.ts'
import { createSignInBed } from './testing/sign-in-bed.ts'
import type { SignInBed } from './testing/sign-in-bed.ts'

let bed: SignInBed
beforeAll(async () => {
  bed = await createSignInBed()
})
afterAll(() => bed.service.close())

const REFUSED = { status: 401, error: { code: 'unauthorized' } }
const NEXT = 'another quiet river'
const wrongAt = (path: string) => ({ status: 400, error: { code: 'validation_error', details: [{ path }] } })

describe('a change of password', () => {
  it('ends every other session, and gives this one a new token', async () => {
    const person = await bed.addPerson()
    const [page, other] = [await bed.signedIn(person), await bed.signedIn(person)]
    const before = page.token
    expect(await page.post('/api/user/password', { old: person.password, new: NEXT })).toMatchObject({
      status: 201,
    })
    expect(page.token).not.toBe(before)
    expect(await page.get('/api/session')).toMatchObject({ status: 200 })
    expect(await other.get('/api/session')).toMatchObject(REFUSED)
    const thief = bed.browser()
    thief.token = before
    expect(await thief.get('/api/session')).toMatchObject(REFUSED)
    expect(await bed.browser().post('/api/session', person)).toMatchObject(REFUSED)
    expect(await bed.browser().post('/api/session', { ...person, password: NEXT })).toMatchObject({
      status: 201,
    })
  })

  it('does not extend the session’s latest end', async () => {
    const person = await bed.addPerson()
    const page = await bed.signedIn(person)
    for (let hours = 0; hours < 23; hours += 1) {
      await bed.pass(60)
      await page.get('/api/session')
    }
    await page.post('/api/user/password', { old: person.password, new: NEXT })
    await bed.pass(60)
    expect(await page.get('/api/session')).toMatchObject(REFUSED)
  })

  it.each([
    ['the old one is wrong', 'not the password', NEXT, 'old'],
    ['the new one is short', undefined, 'short', 'new'],
    ['the new one is longer than 128 characters', undefined, 'long '.repeat(30), 'new'],
    ['the new one is common', undefined, 'passwordpassword', 'new'],
    ['the new one is the old one', undefined, undefined, 'new'],
  ])('is refused when %s', async (_name, old, chosen, path) => {
    const person = await bed.addPerson()
    const page = await bed.signedIn(person)
    const change = { old: old ?? person.password, new: chosen ?? person.password }
    expect(await page.post('/api/user/password', change)).toMatchObject(wrongAt(path))
    expect(await bed.browser().post('/api/session', person)).toMatchObject({ status: 201 })
  })

  it('succeeds once of two at the same time', async () => {
    const person = await bed.addPerson()
    const pages = [await bed.signedIn(person), await bed.signedIn(person)]
    const answers = await Promise.all(
      pages.map((page, at) =>
        page.post('/api/user/password', { old: person.password, new: `${NEXT} ${at}` }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  })
})

describe('a fresh password', () => {
  it('lasts for ten minutes after sign-in, and is then asked for', async () => {
    const person = await bed.addPerson()
    const page = await bed.signedIn(person)
    await bed.pass(9)
    expect(await page.post('/api/user/totp')).toMatchObject({ status: 201 })
    await bed.pass(1)
    expect(await page.post('/api/user/totp')).toMatchObject({
      status: 403,
      error: { code: 'password_required' },
    })
    const confirmed = await page.post('/api/session/confirm', { password: person.password })
    const { data } = await page.get('/api/session')
    expect(confirmed).toMatchObject({ status: 201 })
    expect(data).toMatchObject(v.parse(ConfirmedView, confirmed.data))
    expect(await page.post('/api/user/totp')).toMatchObject({ status: 201 })
  })

  it('takes ten wrong tries, each of which is recorded', async () => {
    const page = await bed.signedIn(await bed.addPerson())
    await bed.pass(10)
    const wrong = { password: 'not the password' }
    for (let tries = 0; tries < 10; tries += 1)
      expect(await page.post('/api/session/confirm', wrong)).toMatchObject(wrongAt('password'))
    expect(await page.post('/api/session/confirm', wrong)).toMatchObject({ status: 429 })
    expect(await page.post('/api/user/totp')).toMatchObject({ status: 403 })
    const refused = (await bed.events()).filter(({ type }) => type === 'user.password_refused')
    expect(refused.length).toBeGreaterThanOrEqual(10)
  })
})

const email = 'grace.hopper@acme.example'
const common = await commonPasswords()

const MANY_HAVE = 'is one that many people have; choose another'
const OWN = 'must not be made of your e-mail address or the name of this service'

describe('a password that is refused', () => {
  it.each([
    ['1qaz2wsx3edc', MANY_HAVE],
    ['Administrator', MANY_HAVE],
    ['Administrator2026!', MANY_HAVE],
    ['!!Unbelievable1', MANY_HAVE],
    ['passwordpassword', MANY_HAVE],
    ['PasswordPassword', MANY_HAVE],
    ['aaaaaaaaaaaaaaaa', MANY_HAVE],
    ['abcabcabcabcabc', MANY_HAVE],
    ['123456789012', MANY_HAVE],
    ['ｐａｓｓｗｏｒｄｐａｓｓｗｏｒｄ', MANY_HAVE],
    ['grace.hopper@acme.example', OWN],
    ['Grace.Hopper!', OWN],
    ['grace.hopper2026', OWN],
    ['card service 1', OWN],
    ['Dashboard-2026', OWN],
  ])('%s', (password, fault) => {
    expect(passwordFault(password, { email, common })).toBe(fault)
  })
})

describe('a password that is accepted, of whatever characters', () => {
  it.each([
    'correct horse battery staple',
    'quiet river stone',
    'alllowercaseletters',
    '928374650192',
    'Übergänge im Nebel',
    '東京の静かな川の石の上で',
    'grace.hopper likes warm rivers',
    '🦊🌊🪨🌲🦉🍄🌙⭐🔥🌧🌿🐝',
  ])('%s', (password) => {
    expect(passwordFault(password, { email, common })).toBeNull()
  })
})
