import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MadeInvitation } from '../../../../contract/dashboard/people/team.ts'
import { testStatement } from '../../../testing/test-statement.ts'
import type { Browser } from '../testing/browser.ts'
import { createSignInBed, memberId } from '../testing/sign-in-bed.ts'
import type { SignInBed, Person } from '../testing/sign-in-bed.ts'
import { untilWaiting } from '../testing/waiting-for-locks.ts'

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

describe('a former owner', () => {
  const endings: [string, (of: Browser, id: string) => ReturnType<Browser['patch']>][] = [
    ['was removed', (of, id) => of.remove(`/api/team/members/${id}`)],
    ['was made a developer', (of, id) => of.patch(`/api/team/members/${id}`, { role: 'developer' })],
  ]

  it.each(endings)('leaves no invitation open: %s', async (name, end) => {
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
    const told = await bed.events()
    expect(told.filter(({ subject }) => subject === id)).toMatchObject([
      { type: 'member.invited' },
      {
        type: 'invitation.revoked',
        actor: `user:${await memberId(owner, ada)}`,
        facts: { email, role: 'owner' },
      },
    ])
  })

  it.each(endings)('changes nothing by a request that was under way: %s', async (name, end) => {
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
