import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MadeInvitation } from '../../contract/dashboard/people/team.ts'
import { createSignInBed } from '../domains/users/testing/sign-in-bed.ts'
import type { SignInBed } from '../domains/users/testing/sign-in-bed.ts'
import { untilWaiting } from '../domains/users/testing/waiting-for-locks.ts'
import { followInvitation, tokenIn, operate as run } from '../testing/operate.ts'
import { testStatement } from '../testing/test-statement.ts'

let bed: SignInBed
beforeAll(async () => {
  bed = await createSignInBed()
})
afterAll(() => bed.service.close())

const operate = (command: string, ...parameters: string[]) => run(bed.service, command, parameters)
const accept = (said: string, password: string) => followInvitation(bed, said, password)

it('svc users add shows a link, by which a person joins a team', async () => {
  const { code, said } = await operate('users add --json', bed.merchantId, 'Grace@acme.example', 'developer')
  expect(code).toBe(0)
  expect(said).toContain('"link": "http://localhost:8070/invitation#')
  const { page } = await accept(said, 'quiet river stone')
  expect(await page.get('/api/session')).toMatchObject({
    data: { user: { email: 'grace@acme.example', role: 'developer' } },
  })
  expect(await operate('users add --json', bed.merchantId, 'grace@acme.example', 'owner')).toEqual({
    code: 1,
    said: '',
    complained: 'svc: grace@acme.example is in that team already.',
  })
})

it('svc users list shows each person with team, role and whether they have a second factor', async () => {
  const { email } = await bed.addPerson({ role: 'viewer' })
  const { said } = await operate('users list')
  expect(said).toContain(`${email}  viewer of ${bed.merchantId}  password only  seen 20`)
})

describe('svc users reset', () => {
  it('ends password and sessions, and shows a link to set a new password', async () => {
    const person = await bed.addPerson()
    const page = await bed.signedIn(person)
    const { code, said } = await operate('users reset --json', person.email)
    expect(code).toBe(0)
    expect(await page.get('/api/session')).toMatchObject({ status: 401 })
    expect(await bed.browser().post('/api/session', person)).toMatchObject({ status: 401 })
    expect(await bed.browser().post('/api/invitations/read', { token: tokenIn(said) })).toMatchObject({
      data: { email: person.email, role: 'owner', has_account: false },
    })
    expect((await accept(said, 'passwordpassword')).answer).toMatchObject({ status: 400 })
    expect((await accept(said, 'another quiet river')).answer).toMatchObject({ status: 201 })
    expect((await accept(said, 'a third quiet river')).answer).toMatchObject({ status: 404 })
    const next = { ...person, password: 'another quiet river' }
    expect(await bed.browser().post('/api/session', next)).toMatchObject({ status: 201 })
  })

  it('keeps the second factor, unless its removal is asked for', async () => {
    const person = await bed.addPerson()
    await bed.service.database.script(
      `INSERT INTO user_totp (user_id, master_key_id, wrapped_data_key, secret, is_confirmed)
       SELECT id, 'test', '', '', true FROM users WHERE email = '${person.email}'`,
    )
    const first = await operate('users reset --json', person.email)
    expect(JSON.parse(first.said)).toMatchObject({ second_factors_kept: ['totp'] })
    expect((await accept(first.said, 'another quiet river')).answer).toMatchObject({
      data: { state: 'second_factor' },
    })
    const second = await operate('users reset --json', person.email, '--second-factor')
    expect(JSON.parse(second.said)).toMatchObject({ second_factors_kept: [] })
    expect((await accept(second.said, 'another quiet river')).answer).toMatchObject({
      data: { state: 'signed_in' },
    })
  })

  it('ends the invitations that the person has made', async () => {
    const person = await bed.addPerson()
    const invited = { email: `asked-by-${person.email}`, role: 'owner' }
    const page = await bed.signedIn(person)
    const { data } = await page.post('/api/team/invitations', invited)
    const { id, link } = v.parse(MadeInvitation, data)
    const { said } = await operate('users reset --json', person.email)
    expect(JSON.parse(said)).toMatchObject({
      revoked_invitations: [{ ...invited, merchant_id: bed.merchantId }],
    })
    expect((await accept(link, 'quiet river stone')).answer).toMatchObject({ status: 404 })
    expect((await bed.events()).findLast(({ subject }) => subject === id)).toMatchObject({
      type: 'invitation.revoked',
      actor: 'service',
      merchant_id: bed.merchantId,
      facts: invited,
    })
  })

  it('ends the link of an earlier reset, also where that was shown for another team', async () => {
    const { merchant } = await bed.service.makeMerchant()
    const person = await bed.addPerson()
    const token = await bed.invite(person.email, 'viewer', merchant.id)
    await bed.browser().post('/api/invitations/accept', { token, password: person.password })
    const earlier = await operate('users reset --json', person.email)
    await bed.service.database.script(
      `UPDATE memberships SET seen_at = now() - interval '1 day' WHERE merchant_id = '${merchant.id}'`,
    )
    const later = await operate('users reset --json', person.email)
    expect((await accept(earlier.said, 'another quiet river')).answer).toMatchObject({ status: 404 })
    expect((await accept(later.said, 'another quiet river')).answer).toMatchObject({ status: 201 })
  })

  it('gives the account to nobody else: another merchant’s invitation sets no password', async () => {
    const { merchant } = await bed.service.makeMerchant()
    const person = await bed.addPerson()
    await operate('users reset --json', person.email)
    const token = await bed.invite(person.email, 'viewer', merchant.id)
    expect((await accept(`#${token}`, 'another quiet river')).answer).toMatchObject({ status: 401 })
  })
})

it('what an operator does to people is in the audit log', async () => {
  const before = (await bed.events()).length
  const person = await bed.addPerson()
  await operate('users reset --json', person.email, '--second-factor')
  await operate('users remove', person.email)
  const told = (await bed.events()).slice(before).filter(({ actor }) => !actor.startsWith('user:'))
  expect(told.map(({ type }) => type)).toEqual([
    'member.invited',
    'user.reset',
    'member.removed',
    'user.removed',
  ])
})

it.each([
  ['users add', ['MERCHANT', 'no address', 'owner']],
  ['users remove', ['no address']],
  ['users reset', ['no address']],
])('svc %s %j does nothing for what is no address', async (command, parameters) => {
  expect(await operate(command, ...parameters)).toMatchObject({ code: 2, said: '' })
})

it('a command for somebody who does not exist says so', async () => {
  const nobody = { code: 1, said: '', complained: 'svc: nobody@acme.example is in no team.' }
  expect(await operate('users remove', 'nobody@acme.example')).toEqual(nobody)
  expect(await operate('users reset --json', 'nobody@acme.example')).toEqual(nobody)
  expect(await operate('users add --json', 'f'.repeat(24), 'nobody@acme.example', 'owner')).toEqual({
    code: 1,
    said: '',
    complained: `svc: There is no merchant ${'f'.repeat(24)}.`,
  })
})

it('svc users remove ends all access, and warns of a merchant left without an owner', async () => {
  const { merchant } = await bed.service.makeMerchant()
  const person = await bed.addPerson({ merchantId: merchant.id })
  const page = await bed.signedIn(person)
  const invited = { email: 'back-door@acme.example', role: 'owner' }
  const { link } = v.parse(MadeInvitation, (await page.post('/api/team/invitations', invited)).data)
  const { code, complained } = await operate('users remove', person.email)
  expect(code).toBe(0)
  expect((await accept(link, 'quiet river stone')).answer).toMatchObject({ status: 404 })
  expect(complained).toContain(`Merchant ${merchant.id} has no owner now`)
  expect(await page.get('/api/session')).toMatchObject({ status: 401 })
  expect(await bed.browser().post('/api/session', person)).toMatchObject({ status: 401 })
  expect((await operate('users list')).said).not.toContain(person.email)
  expect(await operate('users remove', person.email)).toEqual({
    code: 1,
    said: '',
    complained: `svc: ${person.email} is in no team.`,
  })
})

it('svc users remove ends open links to the person, of every team, followed or not', async () => {
  const person = await bed.addPerson()
  const { merchant } = await bed.service.makeMerchant()
  const other = await bed.invite(person.email, 'owner', merchant.id)
  const { said: reset } = await operate('users reset --json', person.email)
  expect((await operate('users remove', person.email)).code).toBe(0)
  for (const link of [`#${other}`, reset])
    expect((await accept(link, 'quiet river stone')).answer).toMatchObject({ status: 404 })

  const { said } = await operate('users add --json', bed.merchantId, 'typing-error@acme.example', 'owner')
  expect(await operate('users remove', 'typing-error@acme.example')).toEqual({
    code: 0,
    said: 'typing-error@acme.example cannot sign in any more.',
    complained: '',
  })
  expect((await accept(said, 'quiet river stone')).answer).toMatchObject({ status: 404 })
  expect(await bed.events()).toContainEqual(
    expect.objectContaining({
      type: 'invitation.revoked',
      facts: { email: 'typing-error@acme.example', role: 'owner' },
    }),
  )
})

it('svc users remove also removes somebody who follows an invitation at the same time', async () => {
  const { database } = bed.service
  const email = 'just-now@acme.example'
  await operate('users add --json', bed.merchantId, email, 'owner')
  const removed = await database.transaction(async (queries) => {
    await queries.script(`DELETE FROM invitations WHERE email = '${email}'`)
    const removing = operate('users remove', email)
    await untilWaiting(database, 1)
    await queries.script(`
      INSERT INTO users (id, email, name, password_hash, time_zone) VALUES ('just-now', '${email}', 'Grace', '', 'UTC');
      INSERT INTO memberships (merchant_id, user_id, role) VALUES ('${bed.merchantId}', 'just-now', 'owner')`)
    return { removing }
  })
  expect((await removed.removing).code).toBe(0)
  expect((await operate('users list')).said).not.toContain(email)
  expect((await bed.events()).map(({ type }) => type).slice(-2)).toEqual(['member.removed', 'user.removed'])
})

const lockOwners = testStatement(
  't_lock_owners',
  "SELECT FROM memberships WHERE merchant_id = $1 AND role = 'owner' ORDER BY user_id FOR UPDATE",
)
const openTo = testStatement('t_open_to', 'SELECT FROM invitations WHERE email = $1')

describe.each([
  ['removed', 'users remove'],
  ['reset', 'users reset --json'],
])('a person who is %s while an invitation by that person is under way', (ending, command) => {
  it.each([true, false])('leaves none open, and the invitation came first: %s', async (isFirst) => {
    const { database } = bed.service
    const person = await bed.addPerson()
    const page = await bed.signedIn(person)
    const email = `back-door-${ending}-${String(isFirst)}@acme.example`
    const invite = () => page.post('/api/team/invitations', { email, role: 'owner' })
    const end = () => operate(command, person.email)
    const begin = async (first: () => Promise<unknown>, second: () => Promise<unknown>) => {
      const begun = first()
      await untilWaiting(database, 1)
      const later = second()
      await untilWaiting(database, 2)
      return { done: Promise.all([begun, later]) }
    }
    const { done } = await database.transaction(async (queries) => {
      await queries.run(lockOwners, [bed.merchantId])
      return isFirst ? begin(invite, end) : begin(end, invite)
    })
    await done
    expect(await database.run(openTo, [email])).toEqual([])
  })
})
