import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSignInBed } from '../domains/users/testing/sign-in-bed.ts'
import type { SignInBed } from '../domains/users/testing/sign-in-bed.ts'
import { untilWaiting } from '../domains/users/testing/waiting-for-locks.ts'
import { testStatement } from '../testing/test-statement.ts'
import { operate } from './testing/operate.ts'

let bed: SignInBed
beforeAll(async () => {
  bed = await createSignInBed()
})
afterAll(() => bed.service.close())

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
    const end = () => operate(bed.service, command, [person.email])
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
