import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MadePasskey, PasskeyOptions, PasskeyView } from '../../../contract/dashboard/people/passkey.ts'
import type { Browser } from './testing/browser.ts'
import { createSignInBed } from './testing/sign-in-bed.ts'
import type { SignInBed, Person } from './testing/sign-in-bed.ts'
import { recordPasskeyUse } from './passkey-store.ts'
import { createSoftwareAuthenticator } from './testing/software-authenticator.ts'
import type { SoftwareAuthenticator } from './testing/software-authenticator.ts'

const ORIGIN = 'http://localhost:8070'
let bed: SignInBed
beforeAll(async () => {
  bed = await createSignInBed()
})
afterAll(() => bed.service.close())

const optionsOf = async (page: Browser, url: string) =>
  v.parse(PasskeyOptions, (await page.post(url)).data).options

interface Holder {
  person: Person
  page: Browser
  device: SoftwareAuthenticator
  made: MadePasskey
}

/** A new person who has added a passkey. */
async function holder(): Promise<Holder> {
  const person = await bed.addPerson()
  const page = await bed.signedIn(person)
  const device = createSoftwareAuthenticator(ORIGIN)
  const response = device.create(await optionsOf(page, '/api/user/passkeys/options'))
  const added = await page.post('/api/user/passkeys', { name: 'Ada’s key', response })
  expect(added).toMatchObject({ status: 201 })
  return { person, page, device, made: v.parse(MadePasskey, added.data) }
}

/** Signs in with a device, which may misbehave. */
async function signIn(device: SoftwareAuthenticator, fault = {}, page = bed.browser()) {
  const options = await optionsOf(page, '/api/session/passkey/options')
  return { page, answer: await page.post('/api/session/passkey', { response: device.get(options, fault) }) }
}
const SIGNED_IN = { status: 201, data: { state: 'signed_in' } }
const REFUSED = { status: 401, error: { code: 'unauthorized' } }

describe('a new passkey', () => {
  it('is for this host, kept by the device, and needs a finger, face or PIN', async () => {
    const page = await bed.signedIn(await bed.addPerson())
    expect(await optionsOf(page, '/api/user/passkeys/options')).toMatchObject({
      rp: { id: 'localhost', name: 'Card service (sandbox)' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    })
  })

  it('is listed, and brings recovery codes if the person had none', async () => {
    const { page, made } = await holder()
    expect(made.recovery_codes).toHaveLength(10)
    const { id, name, created_at, last_used_at } = made
    const listed = v.parse(v.array(PasskeyView), (await page.get('/api/user/passkeys')).data)
    expect(listed).toEqual([{ id, name, created_at, last_used_at }])
    const device = createSoftwareAuthenticator(ORIGIN)
    const options = await optionsOf(page, '/api/user/passkeys/options')
    expect(options).toMatchObject({ excludeCredentials: [{}] })
    const second = await page.post('/api/user/passkeys', { name: 'Phone', response: device.create(options) })
    expect(second).toMatchObject({ status: 201, data: { recovery_codes: null } })
  })

  it.each([
    ['made at another origin', { origin: 'https://evil.example' }],
    ['made for another host', { rpId: 'evil.example' }],
    ['made without a finger, face or PIN', { isUnverified: true }],
    ['for a challenge that nobody gave', { challenge: 'AAAA' }],
  ])('is refused when it was %s', async (_name, fault) => {
    const page = await bed.signedIn(await bed.addPerson())
    const options = await optionsOf(page, '/api/user/passkeys/options')
    const response = createSoftwareAuthenticator(ORIGIN).create(options, fault)
    expect(await page.post('/api/user/passkeys', { name: 'Key', response })).toMatchObject({
      status: 400,
      error: { details: [{ path: 'response' }] },
    })
  })

  it('is refused with another person’s challenge, and if it is known already', async () => {
    const { page, device } = await holder()
    const other = await bed.signedIn(await bed.addPerson())
    const options = await optionsOf(other, '/api/user/passkeys/options')
    const response = createSoftwareAuthenticator(ORIGIN).create(options)
    const refused = { status: 400, error: { details: [{ path: 'response' }] } }
    expect(await page.post('/api/user/passkeys', { name: 'Key', response })).toMatchObject(refused)
    const own = device.create(await optionsOf(other, '/api/user/passkeys/options'))
    expect(await other.post('/api/user/passkeys', { name: 'Key', response: own })).toMatchObject(refused)
  })

  it('needs a fresh password to be added or removed', async () => {
    const { page, made } = await holder()
    await bed.pass(10)
    for (const answer of [
      await page.post('/api/user/passkeys/options'),
      await page.post('/api/user/passkeys', {}),
      await page.remove(`/api/user/passkeys/${made.id}`),
    ])
      expect(answer).toMatchObject({ status: 403, error: { code: 'password_required' } })
  })

  it('can be removed by its person only, and opens nothing then', async () => {
    const { person, page, device, made } = await holder()
    const other = await bed.signedIn(await bed.addPerson())
    expect(await other.remove(`/api/user/passkeys/${made.id}`)).toMatchObject({ status: 404 })
    expect(await page.remove(`/api/user/passkeys/${made.id}`)).toMatchObject({ status: 200 })
    expect((await signIn(device)).answer).toMatchObject(REFUSED)
    expect(await bed.browser().post('/api/session', person)).toMatchObject(SIGNED_IN)
  })
})

it('a passkey’s counter only goes up, even for two sign-ins at once, or stays at zero', async () => {
  const { made } = await holder()
  const { database } = bed.service
  const noted = (counter: number) => recordPasskeyUse(database, made.id, counter)
  expect((await Promise.all([noted(7), noted(7)])).sort()).toEqual([false, true])
  expect([await noted(7), await noted(6), await noted(0), await noted(8)]).toEqual([
    false,
    false,
    false,
    true,
  ])
  await database.script(`UPDATE passkeys SET counter = 0 WHERE id = '${made.id}'`)
  expect([await noted(0), await noted(0)]).toEqual([true, true])
})

describe('signing in by passkey', () => {
  it('needs no address or password, and reveals no account before', async () => {
    const { person, device } = await holder()
    const { page, answer } = await signIn(device)
    expect(answer).toMatchObject(SIGNED_IN)
    expect(await page.get('/api/session')).toMatchObject({
      data: { user: { email: person.email }, fresh_until: null },
    })
    expect(await optionsOf(bed.browser(), '/api/session/passkey/options')).toMatchObject({
      rpId: 'localhost',
      userVerification: 'required',
      allowCredentials: [],
    })
  })

  it('is the second factor after the password, which stays fresh', async () => {
    const { person, device } = await holder()
    const page = bed.browser()
    expect(await page.post('/api/session', person)).toMatchObject({
      data: { state: 'second_factor', methods: ['passkey', 'recovery_code'] },
    })
    const before = page.token
    const options = await optionsOf(page, '/api/session/passkey/options')
    expect(options).toMatchObject({ allowCredentials: [{ id: device.credentialId }] })
    expect(await page.post('/api/session/passkey', { response: device.get(options) })).toMatchObject(
      SIGNED_IN,
    )
    expect(page.token).not.toBe(before)
    const { data } = await page.get('/api/session')
    expect(data).not.toMatchObject({ fresh_until: null })
  })

  it.each([
    ['signed at another origin', { origin: 'http://localhost:8080' }],
    ['signed for another host', { rpId: 'evil.example' }],
    ['signed without a finger, face or PIN', { isUnverified: true }],
    ['of a copy whose counter lags behind', { counter: 1 }],
    ['under a challenge that nobody gave', { challenge: 'AAAA' }],
    ['that names another person', { userHandle: Buffer.from('1'.repeat(24)).toString('base64url') }],
  ])('refuses a response %s', async (_name, fault) => {
    const { device } = await holder()
    expect((await signIn(device)).answer).toMatchObject(SIGNED_IN)
    expect((await signIn(device, fault)).answer).toMatchObject(REFUSED)
    expect((await signIn(device)).answer).toMatchObject(SIGNED_IN)
  })

  it('refuses a response that was used, of another key, or five minutes old', async () => {
    const { device } = await holder()
    const page = bed.browser()
    const used = device.get(await optionsOf(page, '/api/session/passkey/options'))
    expect(await page.post('/api/session/passkey', { response: used })).toMatchObject(SIGNED_IN)
    expect(await bed.browser().post('/api/session/passkey', { response: used })).toMatchObject(REFUSED)
    const options = await optionsOf(page, '/api/session/passkey/options')
    const { id, rawId } = used
    const { userHandle = '' } = used.response
    const forged = { ...createSoftwareAuthenticator(ORIGIN).get(options, { userHandle }), id, rawId }
    expect(await bed.browser().post('/api/session/passkey', { response: forged })).toMatchObject(REFUSED)
    const late = device.get(await optionsOf(page, '/api/session/passkey/options'))
    await bed.pass(5)
    expect(await bed.browser().post('/api/session/passkey', { response: late })).toMatchObject(REFUSED)
  })
})
