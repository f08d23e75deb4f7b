import * as v from 'valibot'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { MadeInvitation } from '../../contract/dashboard/people/team.ts'
import { createSignInBed } from '../domains/users/testing/sign-in-bed.ts'
import type { SignInBed } from '../domains/users/testing/sign-in-bed.ts'
import { untilWaiting } from '../domains/users/testing/waiting-for-locks.ts'
import { followInvitation } from './testing/follow-invitation.ts'
import { operate as run } from './testing/operate.ts'

let bed: SignInBed
beforeAll(async () => {
  bed = await createSignInBed()
})
afterAll(() => bed.service.close())

const operate = (command: string, ...parameters: string[]) => run(bed.service, command, parameters)
const accept = (said: string, password: string) => followInvitation(bed, said, password)

it('svc users remove ends all that a person could do, and tells of a merchant without an owner', async () => {
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

it('svc users remove ends open links to the person too, of every team, also before any was followed', async () => {
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

it('svc users remove removes who follows an invitation at the same time, too', async () => {
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
