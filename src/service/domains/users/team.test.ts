import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '../../../contract/dashboard/people/role.ts'
import { MadeInvitation, NamedPerson, TeamView } from '../../../contract/dashboard/people/team.ts'
import { testStatement } from '../../testing/test-statement.ts'
import type { Browser } from './testing/browser.ts'
import { createSignInBed, idIn, memberId } from './testing/sign-in-bed.ts'
import type { SignInBed, Person } from './testing/sign-in-bed.ts'
import { untilWaiting } from './testing/waiting-for-locks.ts'

let bed: SignInBed
let ada: Person
let owner: Browser
beforeAll(async () => {
  bed = await createSignInBed()
  ada = await bed.addPerson()
  owner = await bed.signedIn(ada)
})
afterAll(() => bed.service.close())

const lockOwners = testStatement(
  't_lock_owners',
  "SELECT FROM memberships WHERE merchant_id = $1 AND role = 'owner' ORDER BY user_id FOR UPDATE",
)
const LAST = { status: 422, error: { code: 'unfulfilled_condition' } }

describe('a team', () => {
  it('shows who is in it, in which role, and who was invited by whom', async () => {
    const { email } = await bed.addPerson({ role: 'viewer' })
    await owner.post('/api/team/invitations', { email: 'new@acme.example', role: 'developer' })
    const { members, invitations } = v.parse(TeamView, (await owner.get('/api/team')).data)
    const member = (of: string) => members.find((one) => one.email === of)
    expect(member(ada.email)).toMatchObject({ role: 'owner', has_second_factor: false })
    expect(member(email)).toMatchObject({ role: 'viewer' })
    expect(Date.now() - Date.parse(member(email)?.last_seen_at ?? '')).toBeLessThan(60_000)
    const invited_by = member(ada.email)?.name
    expect(invitations).toMatchObject([{ email: 'new@acme.example', role: 'developer', invited_by }])
  })

  it.each(['developer', 'viewer'] as const)(
    'is seen by a %s, and changed by owners only',
    async (role: Role) => {
      const page = await bed.signedIn(await bed.addPerson({ role }))
      const wanted = { email: `of-${role}@acme.example`, role: 'viewer' }
      const id = idIn((await owner.post('/api/team/invitations', wanted)).data)
      const self = await memberId(owner, ada)
      expect(await page.get('/api/team')).toMatchObject({ status: 200 })
      for (const answer of [
        await page.post('/api/team/invitations', { email: 'x@acme.example', role: 'owner' }),
        await page.remove(`/api/team/invitations/${id}`),
        await page.patch(`/api/team/members/${self}`, { role: 'viewer' }),
        await page.remove(`/api/team/members/${self}`),
      ])
        expect(answer).toMatchObject({ status: 403, error: { code: 'forbidden' } })
    },
  )

  it('of another merchant is neither seen nor changed', async () => {
    const { merchant } = await bed.service.makeMerchant()
    const stranger = await bed.signedIn(await bed.addPerson({ merchantId: merchant.id }))
    const invited = await owner.post('/api/team/invitations', { email: 'y@acme.example', role: 'viewer' })
    const self = await memberId(owner, ada)
    expect(JSON.stringify(await stranger.get('/api/team'))).not.toContain(ada.email)
    for (const answer of [
      await stranger.remove(`/api/team/invitations/${idIn(invited.data)}`),
      await stranger.patch(`/api/team/members/${self}`, { role: 'viewer' }),
      await stranger.remove(`/api/team/members/${self}`),
    ])
      expect(answer).toMatchObject({ status: 404, error: { code: 'not_found' } })
    expect(await owner.get('/api/session')).toMatchObject({ data: { user: { role: 'owner' } } })
  })
})

describe('a change of role', () => {
  it('counts from the next request on', async () => {
    const person = await bed.addPerson({ role: 'viewer' })
    const page = await bed.signedIn(person)
    const id = await memberId(owner, person)
    expect(await owner.patch(`/api/team/members/${id}`, { role: 'owner' })).toMatchObject({ status: 200 })
    expect(
      await page.post('/api/team/invitations', { email: 'z@acme.example', role: 'viewer' }),
    ).toMatchObject({
      status: 201,
    })
    expect(await owner.patch(`/api/team/members/${id}`, { role: 'viewer' })).toMatchObject({ status: 200 })
    expect(
      await page.post('/api/team/invitations', { email: 'z@acme.example', role: 'viewer' }),
    ).toMatchObject({
      status: 403,
    })
  })
})

describe('the last owner', () => {
  it('cannot be removed or get another role', async () => {
    const { merchant } = await bed.service.makeMerchant()
    const person = await bed.addPerson({ merchantId: merchant.id })
    await bed.addPerson({ merchantId: merchant.id, role: 'developer' })
    const page = await bed.signedIn(person)
    const self = await memberId(page, person)
    expect(await page.patch(`/api/team/members/${self}`, { role: 'viewer' })).toMatchObject(LAST)
    expect(await page.remove(`/api/team/members/${self}`)).toMatchObject(LAST)
    expect(await page.patch(`/api/team/members/${self}`, { role: 'owner' })).toMatchObject({ status: 200 })
  })

  it.each([
    ['remove one another', (page: Browser, id: string) => page.remove(`/api/team/members/${id}`)],
    [
      'demote one another',
      (page: Browser, id: string) => page.patch(`/api/team/members/${id}`, { role: 'viewer' }),
    ],
  ])('remains after two owners %s at once', async (_name, act) => {
    const { merchant } = await bed.service.makeMerchant()
    const owners = [
      await bed.addPerson({ merchantId: merchant.id }),
      await bed.addPerson({ merchantId: merchant.id }),
    ]
    const pages = await Promise.all(owners.map((person) => bed.signedIn(person)))
    const [one, other] = pages
    const [first, second] = owners
    if (one === undefined || other === undefined || first === undefined || second === undefined) return
    const ids = [await memberId(one, second), await memberId(other, first)]
    const answers = await Promise.all([act(one, ids[0] ?? ''), act(other, ids[1] ?? '')])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

describe('a former owner', () => {
  const endings: [string, (of: Browser, id: string) => ReturnType<Browser['patch']>][] = [
    ['was removed', (of, id) => of.remove(`/api/team/members/${id}`)],
    ['was made a developer', (of, id) => of.patch(`/api/team/members/${id}`, { role: 'developer' })],
  ]

  it.each(endings)('leaves no open invitation (%s)', async (name, end) => {
    const former = await bed.addPerson()
    const page = await bed.signedIn(former)
    const email = `back-door-${name.length}@acme.example`
    const { link, id } = v.parse(
      MadeInvitation,
      (await page.post('/api/team/invitations', { email, role: 'owner' })).data,
    )
    await end(owner, await memberId(owner, former))
    const accepted = { token: link.split('#')[1], name: 'Back', password: 'quiet river stone' }
    expect(await bed.browser().post('/api/invitations/accept', accepted)).toMatchObject({ status: 404 })
    const events = await bed.events()
    expect(events.filter(({ subject }) => subject === id)).toMatchObject([
      { type: 'member.invited' },
      {
        type: 'invitation.revoked',
        actor: `user:${await memberId(owner, ada)}`,
        facts: { email, role: 'owner' },
      },
    ])
  })

  it.each(endings)('changes nothing by a request that was under way (%s)', async (name, end) => {
    const former = await bed.addPerson()
    const [page, id] = [await bed.signedIn(former), await memberId(owner, former)]
    const other = await memberId(owner, await bed.addPerson({ role: 'viewer' }))
    const email = `late-${name.length}@acme.example`
    const late = await bed.service.database.transaction(async (queries) => {
      await queries.run(lockOwners, [bed.merchantId])
      const ending = end(owner, id)
      await untilWaiting(bed.service.database, 1)
      const acts = [
        page.post('/api/team/invitations', { email, role: 'owner' }),
        page.remove(`/api/team/members/${other}`),
      ]
      await untilWaiting(bed.service.database, 3)
      return { ending, acts }
    })
    expect(await late.ending).toMatchObject({ status: 200 })
    for (const act of late.acts)
      expect(await act).toMatchObject({ status: 403, error: { code: 'forbidden' } })
  })
})

describe('the people who act for a merchant', () => {
  it('keep their names after they leave, for this merchant only', async () => {
    const { merchant } = await bed.service.makeMerchant()
    const stays = await bed.addPerson({ merchantId: merchant.id })
    const [leaves, deleted] = [
      await bed.addPerson({ merchantId: merchant.id, role: 'viewer' }),
      await bed.addPerson({ merchantId: merchant.id, role: 'viewer' }),
    ]
    const page = await bed.signedIn(stays)
    const ids = {
      stays: await memberId(page, stays),
      leaves: await memberId(page, leaves),
      deleted: await memberId(page, deleted),
    }
    const people = async () => v.parse(v.array(NamedPerson), (await page.get('/api/people')).data)
    const names = new Map((await people()).map(({ id, name }) => [id, name]))
    await page.remove(`/api/team/members/${ids.leaves}`)
    await bed.service.users.administration.remove(deleted.email)
    const found = await people()
    expect(found.map(({ id, is_former }) => [id, is_former])).toEqual([
      [ids.stays, false],
      ...[ids.leaves, ids.deleted].map((id) => [id, true]),
    ])
    expect(found.map(({ id, name }) => [id, name])).toEqual(found.map(({ id }) => [id, names.get(id)]))
    expect(JSON.stringify(await owner.get('/api/people'))).not.toContain(ids.leaves)
  })

  it('are listed once, as members, when they come back', async () => {
    const person = await bed.addPerson({ role: 'viewer' })
    const id = await memberId(owner, person)
    await owner.remove(`/api/team/members/${id}`)
    const token = await bed.invite(person.email, 'viewer')
    await bed.browser().post('/api/invitations/accept', { token, password: person.password })
    const found = v.parse(v.array(NamedPerson), (await owner.get('/api/people')).data)
    expect(found.filter((one) => one.id === id)).toMatchObject([{ is_former: false }])
  })
})

it('the audit log says who changed a team', async () => {
  const before = (await bed.events()).length
  const person = { email: 'last@acme.example', password: 'quiet river stone' }
  const { data } = await owner.post('/api/team/invitations', { email: person.email, role: 'viewer' })
  const token = v.parse(MadeInvitation, data).link.split('#')[1]
  await bed.browser().post('/api/invitations/accept', { token, name: 'Last', password: person.password })
  const id = await memberId(owner, person)
  await owner.patch(`/api/team/members/${id}`, { role: 'developer' })
  await owner.remove(`/api/team/members/${id}`)
  const actor = `user:${await memberId(owner, ada)}`
  const facts = { address: owner.address, user_agent: 'Test browser' }
  expect((await bed.events()).slice(before)).toMatchObject([
    { type: 'member.invited', actor, subject: idIn(data), facts: { ...facts, role: 'viewer' } },
    { type: 'member.joined', actor: `user:${id}`, subject: id, facts: { role: 'viewer' } },
    { type: 'user.signed_in', actor: `user:${id}` },
    { type: 'member.role_changed', actor, subject: id, facts: { ...facts, role: 'developer' } },
    { type: 'member.removed', actor, subject: id, facts: { ...facts, sessions_ended: 1 } },
  ])
})
