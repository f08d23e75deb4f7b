import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RecoveryCodes } from '../../../../contract/dashboard/people/user-settings.ts'
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

describe('a recovery code', () => {
  it('is good in place of the app, once, however it is typed', async () => {
    const { person, recoveryCodes } = await withApp()
    const [code = ''] = recoveryCodes
    const page = await withPasswordOnly(person)
    expect(await give(page, { recovery_code: code.toUpperCase().replaceAll('-', ' ') })).toMatchObject(
      SIGNED_IN,
    )
    expect(await page.get('/api/session')).toMatchObject({ data: { user: { recovery_codes_left: 9 } } })
    expect(await give(await withPasswordOnly(person), { recovery_code: code })).toMatchObject(REFUSED)
  })

  it('that is empty is refused in words', async () => {
    const { person } = await withApp()
    expect(await give(await withPasswordOnly(person), { recovery_code: '' })).toMatchObject({
      status: 400,
      error: { details: [{ path: 'recovery_code', message: 'must not be empty' }] },
    })
  })

  it('of another person is none', async () => {
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

  it('stands in for something: without a second factor there are none', async () => {
    const page = await bed.signedIn(await bed.addPerson())
    expect(await page.post('/api/user/recovery_codes')).toMatchObject({ status: 422 })
  })
})

it('what became of it all is in the audit log', async () => {
  const before = (await bed.events()).length
  const { person, recoveryCodes, code } = await withApp()
  await give(await withPasswordOnly(person), { code: '000000' })
  await give(await withPasswordOnly(person), { code: await code() })
  await give(await withPasswordOnly(person), { recovery_code: recoveryCodes[0] })
  const told = (await bed.events())
    .slice(before)
    .map(({ type, facts }) => [type, facts['by'] ?? facts['reason']])
  expect(told).toEqual([
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
