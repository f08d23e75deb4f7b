import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MadeInvitation, TeamView } from '../../../contract/dashboard/people/team.ts'
import type { Browser } from './testing/browser.ts'
import { createSignInBed } from './testing/sign-in-bed.ts'
import type { SignInBed } from './testing/sign-in-bed.ts'
import { MAX_INVITATIONS } from './team.ts'

let bed: SignInBed
let owner: Browser
beforeAll(async () => {
  bed = await createSignInBed()
  owner = await bed.signedIn(await bed.addPerson())
})
afterAll(() => bed.service.close())

const PASSWORD = 'quiet river stone'
const INVALID = { status: 404, error: { code: 'not_found' } }
let people = 0
const someEmail = () => `invited-${(people += 1)}@acme.example`

const made = (data: unknown) => {
  const { id, link, expires_at: end } = v.parse(MadeInvitation, data)
  return { id, link, end, token: link.split('#')[1] ?? '' }
}
/** Invites as an owner does, by the dashboard. */
const invite = async (email: string, role = 'developer') =>
  made((await owner.post('/api/team/invitations', { email, role })).data)
const accept = (token: string, more: object = { name: 'Grace', password: PASSWORD }) => {
  const page = bed.browser()
  return page.post('/api/invitations/accept', { token, ...more }).then((answer) => ({ page, answer }))
}

describe('an invitation', () => {
  it('is a link for seven days, with a secret that no server sees', async () => {
    const email = someEmail()
    const { link, end, token } = await invite(email.toUpperCase(), 'viewer')
    expect(link).toMatch(/^http:\/\/localhost:8070\/invitation#svc_invitation_[\w-]{43}$/)
    const days = (Date.parse(end) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(6.99)
    expect(days).toBeLessThan(7.01)
    const { data } = await owner.get('/api/team')
    const { invitations } = v.parse(TeamView, data)
    expect(invitations.find((one) => one.email === email)).toMatchObject({ role: 'viewer', expires_at: end })
    expect(JSON.stringify(data)).not.toContain(token)
  })

  it('names its person, who signs in by choosing a name and a password', async () => {
    const email = someEmail()
    const { token } = await invite(email)
    expect(await bed.browser().post('/api/invitations/read', { token })).toMatchObject({
      status: 200,
      data: { merchant: 'Test', email, role: 'developer', has_account: false },
    })
    const { page, answer } = await accept(token)
    expect(answer).toMatchObject({ status: 201, data: { state: 'signed_in' } })
    expect(await page.get('/api/session')).toMatchObject({
      data: { user: { email, name: 'Grace', role: 'developer' }, merchant: { id: bed.merchantId } },
    })
  })

  it.each([
    ['without a name', { password: PASSWORD }, 'name'],
    ['with a short password', { name: 'Grace', password: 'short' }, 'password'],
    ['with a common password', { name: 'Grace', password: 'passwordpassword' }, 'password'],
  ])('still works after somebody came %s', async (_name, more, path) => {
    const { token } = await invite(someEmail())
    const { answer } = await accept(token, more)
    expect(answer).toMatchObject({ status: 400, error: { details: [{ path }] } })
    expect((await accept(token)).answer).toMatchObject({ status: 201 })
  })

  it('works once, even for two at the same time', async () => {
    const { token } = await invite(someEmail())
    const answers = await Promise.all([accept(token), accept(token)])
    expect(answers.filter(({ answer: { status } }) => status === 201)).toHaveLength(1)
    expect((await accept(token)).answer).toMatchObject(INVALID)
    expect(await bed.browser().post('/api/invitations/read', { token })).toMatchObject(INVALID)
  })

  it('does not work after seven days', async () => {
    const { token } = await invite(someEmail())
    await bed.pass(7 * 24 * 60)
    expect((await accept(token)).answer).toMatchObject(INVALID)
    expect(await bed.browser().post('/api/invitations/read', { token })).toMatchObject(INVALID)
  })
})

describe('an open invitation', () => {
  beforeAll(async () => {
    owner = await bed.signedIn(await bed.addPerson())
  })

  it('does not work after it was revoked', async () => {
    const { id, token } = await invite(someEmail())
    expect(await owner.remove(`/api/team/invitations/${id}`)).toMatchObject({ status: 200 })
    expect((await accept(token)).answer).toMatchObject(INVALID)
    expect(await owner.remove(`/api/team/invitations/${id}`)).toMatchObject(INVALID)
  })

  it('does not work after a newer one to the same person', async () => {
    const email = someEmail()
    const [older, newer] = [await invite(email, 'viewer'), await invite(email, 'developer')]
    expect((await accept(older.token)).answer).toMatchObject(INVALID)
    const { page } = await accept(newer.token)
    expect(await page.get('/api/session')).toMatchObject({ data: { user: { role: 'developer' } } })
  })

  it('is not made for a member of the team', async () => {
    const { email } = await bed.addPerson()
    expect(await owner.post('/api/team/invitations', { email, role: 'owner' })).toMatchObject({ status: 422 })
  })

  it('refuses a request that names another role', async () => {
    const { token } = await invite(someEmail(), 'viewer')
    const { answer } = await accept(token, { name: 'Grace', password: PASSWORD, role: 'owner' })
    expect(answer).toMatchObject({ status: 400 })
  })
})

describe('an invitation to a person with an account', () => {
  it('asks for its password: the link alone does not open the account', async () => {
    const { merchant } = await bed.service.makeMerchant()
    const person = await bed.addPerson()
    const token = await bed.invite(person.email, 'viewer', merchant.id)
    expect(await bed.browser().post('/api/invitations/read', { token })).toMatchObject({
      data: { has_account: true },
    })
    const { answer: refused } = await accept(token)
    expect(refused).toMatchObject({ status: 401, error: { code: 'unauthorized' } })
    const { page, answer } = await accept(token, { password: person.password })
    expect(answer).toMatchObject({ status: 201 })
    expect(await page.get('/api/session')).toMatchObject({
      data: { merchant: { id: merchant.id }, user: { role: 'viewer' }, merchants: [{}, {}] },
    })
  })

  it('asks for the second factor as usual', async () => {
    const { merchant } = await bed.service.makeMerchant()
    const person = await bed.addPerson()
    await bed.service.database.script(
      `INSERT INTO user_totp (user_id, master_key_id, wrapped_data_key, secret, is_confirmed)
       SELECT id, 'test', '', '', true FROM users WHERE email = '${person.email}'`,
    )
    const token = await bed.invite(person.email, 'viewer', merchant.id)
    const { page, answer } = await accept(token, { password: person.password })
    expect(answer).toMatchObject({ status: 201, data: { state: 'second_factor', methods: ['totp'] } })
    expect(await page.get('/api/session')).toMatchObject({ status: 401 })
  })
})

it('at most 50 invitations are open, and a new one replaces one to the same person', async () => {
  const { merchant } = await bed.service.makeMerchant()
  const page = await bed.signedIn(await bed.addPerson({ merchantId: merchant.id }))
  const send = (n: number) =>
    page.post('/api/team/invitations', { email: `one-of-many-${n}@acme.example`, role: 'viewer' })
  for (let n = 1; n < MAX_INVITATIONS; n += 1) expect((await send(n)).status).toBe(201)
  const both = await Promise.all([send(MAX_INVITATIONS), send(MAX_INVITATIONS + 1)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 422])
  const again = await send(1)
  expect(again.status).toBe(201)
  expect((await page.remove(`/api/team/invitations/${made(again.data).id}`)).status).toBe(200)
  expect((await send(MAX_INVITATIONS + 2)).status).toBe(201)
})
