import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testStatement } from '../../testing/test-statement.ts'
import { createSignInBed } from './testing/sign-in-bed.ts'
import type { SignInBed } from './testing/sign-in-bed.ts'
import { untilWaiting } from './testing/waiting-for-locks.ts'

let bed: SignInBed
beforeAll(async () => {
  bed = await createSignInBed()
})
afterAll(() => bed.service.close())

const lockUser = testStatement('t_lock_user', 'SELECT FROM users WHERE email = $1 FOR UPDATE')
const lockFactors = testStatement(
  't_lock_factors',
  `SELECT FROM user_totp t JOIN passkeys p ON p.user_id = t.user_id
   WHERE t.user_id = (SELECT id FROM users WHERE email = $1) FOR UPDATE`,
)
const addFactors = (email: string) => `
  INSERT INTO user_totp (user_id, master_key_id, wrapped_data_key, secret, is_confirmed)
    SELECT id, 'test', '', '', true FROM users WHERE email = '${email}';
  INSERT INTO passkeys (id, user_id, credential_id, public_key, counter, transports, name)
    SELECT '${'a'.repeat(24)}', id, 'credential', '', 0, '{}', 'Key' FROM users WHERE email = '${email}';
  INSERT INTO recovery_codes (user_id, hash) SELECT id, 'code' FROM users WHERE email = '${email}';`

/** Begins each act once the one before waits for the lock, and then releases the lock. */
async function inTurn<Result>(
  lock: typeof lockUser,
  email: string,
  acts: readonly (() => Promise<Result>)[],
): Promise<Result[]> {
  const { database } = bed.service
  const { answers } = await database.transaction(async (queries) => {
    await queries.run(lock, [email])
    const begun: Promise<Result>[] = []
    for (const act of acts) {
      begun.push(act())
      await untilWaiting(database, begun.length)
    }
    return { answers: begun }
  })
  return Promise.all(answers)
}

describe('changes at the same time', () => {
  it('let a new password win over a sign-in with the old one', async () => {
    const person = await bed.addPerson()
    const page = await bed.signedIn(person)
    const chosen = { old: person.password, new: 'another quiet river' }
    const answers = await inTurn(lockUser, person.email, [
      () => page.post('/api/user/password', chosen),
      () => bed.browser().post('/api/session', person),
    ])
    expect(answers).toMatchObject([{ status: 201 }, { status: 401, error: { code: 'unauthorized' } }])
    expect((await page.get('/api/sessions')).data).toHaveLength(1)
    expect((await bed.events()).at(-1)).toMatchObject({
      type: 'user.sign_in_failed',
      facts: { reason: 'password' },
    })
  })

  it('let a new password win over another session that removes a factor', async () => {
    const person = await bed.addPerson()
    const [page, other] = [await bed.signedIn(person), await bed.signedIn(person)]
    const mine = addFactors(person.email).replaceAll('a'.repeat(24), 'b'.repeat(24))
    await bed.service.database.script(mine.replace("'credential'", "'another'"))
    const answers = await inTurn(lockUser, person.email, [
      () => page.post('/api/user/password', { old: person.password, new: 'another quiet river' }),
      () => other.remove(`/api/user/passkeys/${'b'.repeat(24)}`),
    ])
    expect(answers).toMatchObject([{ status: 201 }, { status: 401 }])
    expect(await page.get('/api/session')).toMatchObject({ data: { user: { passkeys: 1 } } })
  })

  it('of the last two second factors leave no recovery code', async () => {
    const person = await bed.addPerson()
    const page = await bed.signedIn(person)
    await bed.service.database.script(addFactors(person.email))
    const answers = await inTurn(lockFactors, person.email, [
      () => page.remove('/api/user/totp'),
      () => page.remove(`/api/user/passkeys/${'a'.repeat(24)}`),
    ])
    expect(answers).toMatchObject([{ status: 200 }, { status: 200 }])
    expect(await page.get('/api/session')).toMatchObject({
      data: { user: { has_totp: false, passkeys: 0, recovery_codes_left: 0 } },
    })
  })
})

describe('a person’s own name and time zone', () => {
  it('can be changed alone or together', async () => {
    const page = await bed.signedIn(await bed.addPerson())
    await page.patch('/api/user', { name: ' Grace Hopper ' })
    await page.patch('/api/user', { time_zone: 'Europe/Vienna' })
    expect(await page.get('/api/session')).toMatchObject({
      data: { user: { name: 'Grace Hopper' }, time_zone: 'Europe/Vienna' },
    })
  })

  it.each([
    [{ time_zone: 'Mars/Olympus' }],
    [{ time_zone: '+10:00' }],
    [{ name: ' ' }],
    [{ name: 'Grace\nowner' }],
    [{ name: 'Grace\u202e' }],
    [{ email: 'x@y.example' }],
  ])('cannot be %j', async (change) => {
    const page = await bed.signedIn(await bed.addPerson())
    expect(await page.patch('/api/user', change)).toMatchObject({ status: 400 })
  })
})
