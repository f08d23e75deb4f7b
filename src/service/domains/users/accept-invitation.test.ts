import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PasskeyOptions } from '../../../contract/dashboard/people/passkey.ts'
import { TeamView } from '../../../contract/dashboard/people/team.ts'
import type { Browser } from './testing/browser.ts'
import type { SignInBed } from './testing/sign-in-bed.ts'
import { createSecondFactorBed, giveSecondFactor, SIGNED_IN } from './testing/second-factor-bed.ts'
import type { PersonWithApp, SecondFactorBed } from './testing/second-factor-bed.ts'
import { createSoftwareAuthenticator } from './testing/software-authenticator.ts'

let bed: SignInBed
let withApp: SecondFactorBed['withApp']
/** Signed in as an owner of the inviting team. */
let owner: Browser
let merchantId: string
beforeAll(async () => {
  ;({ bed, withApp } = await createSecondFactorBed())
  merchantId = (await bed.service.makeMerchant()).merchant.id
  owner = await bed.signedIn(await bed.addPerson({ merchantId }))
})
afterAll(() => bed.service.close())

const team = async () => v.parse(TeamView, (await owner.get('/api/team')).data)
const isMember = async ({ person }: PersonWithApp) =>
  (await team()).members.some(({ email }) => email === person.email)
const invitationTo = async ({ person }: PersonWithApp) =>
  (await team()).invitations.find(({ email }) => email === person.email)

/** Accepts an invitation to another team with only the password. */
async function follow({ person }: PersonWithApp): Promise<{ page: Browser; token: string }> {
  const token = await bed.invite(person.email, 'developer', merchantId)
  const page = bed.browser()
  const accepted = await page.post('/api/invitations/accept', { token, password: person.password })
  expect(accepted).toMatchObject({ status: 201, data: { state: 'second_factor' } })
  return { page, token }
}

describe('a person with a second factor who accepts an invitation', () => {
  it('joins the team after the second factor, not before', async () => {
    const grace = await withApp()
    const { page, token } = await follow(grace)
    expect(await isMember(grace)).toBe(false)
    expect(await invitationTo(grace)).toBeDefined()
    expect(await giveSecondFactor(page, { code: await grace.code() })).toMatchObject(SIGNED_IN)
    expect(await page.get('/api/session')).toMatchObject({
      data: { merchant: { id: merchantId }, user: { role: 'developer' } },
    })
    expect(await isMember(grace)).toBe(true)
    expect(await invitationTo(grace)).toBeUndefined()
    expect(await bed.browser().post('/api/invitations/read', { token })).toMatchObject({ status: 404 })
    const events = (await bed.events()).filter(({ merchant_id }) => merchant_id === merchantId)
    expect(events.slice(-2)).toMatchObject([
      { type: 'member.joined', facts: { role: 'developer' } },
      { type: 'user.signed_in', facts: { by: ['password', 'totp'] } },
    ])
  })

  it('joins the team after a passkey', async () => {
    const grace = await withApp()
    const device = createSoftwareAuthenticator('http://localhost:8070')
    const optionsOf = async (page: Browser, url: string) =>
      v.parse(PasskeyOptions, (await page.post(url)).data).options
    const response = device.create(await optionsOf(grace.page, '/api/user/passkeys/options'))
    await grace.page.post('/api/user/passkeys', { name: 'Key', response })
    const { page } = await follow(grace)
    const given = device.get(await optionsOf(page, '/api/session/passkey/options'))
    expect(await page.post('/api/session/passkey', { response: given })).toMatchObject(SIGNED_IN)
    expect(await isMember(grace)).toBe(true)
    expect(await page.get('/api/session')).toMatchObject({ data: { merchant: { id: merchantId } } })
  })

  it('can use the link again if the second factor was missing', async () => {
    const grace = await withApp()
    const { token } = await follow(grace)
    const page = bed.browser()
    await page.post('/api/invitations/accept', { token, password: grace.person.password })
    expect(await giveSecondFactor(page, { code: await grace.code() })).toMatchObject(SIGNED_IN)
    expect(await isMember(grace)).toBe(true)
  })

  it('joins nothing and keeps the code if the invitation was revoked', async () => {
    const grace = await withApp()
    const { page } = await follow(grace)
    await owner.remove(`/api/team/invitations/${(await invitationTo(grace))?.id ?? ''}`)
    const code = { code: await grace.code() }
    expect(await giveSecondFactor(page, code)).toMatchObject({ status: 404, error: { code: 'not_found' } })
    expect(await isMember(grace)).toBe(false)
    const usual = bed.browser()
    await usual.post('/api/session', grace.person)
    expect(await giveSecondFactor(usual, code)).toMatchObject(SIGNED_IN)
  })
})
