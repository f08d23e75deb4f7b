import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendWithKeys } from '../../../testing/charge-calls.ts'
import { SPELLINGS, SPELLINGS_OF_TOKENS } from '../../../testing/spellings.ts'
import { storedRows } from '../../../testing/stored-rows.ts'
import { testCard } from '../../../testing/test-card.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'

let service: TestService
let send: ReturnType<typeof sendWithKeys>
/** Of another charge than those that the tests make. */
let token: string
let chargeId: string
beforeAll(async () => {
  service = await createTestService()
  send = sendWithKeys(service)
  token = await service.tokenise()
  chargeId = (await service.authorise())._id
  await send('POST', `/v1/charges/${chargeId}/capture`)
})
afterAll(() => service.close())

/** Some spellings are longer than a field may be. */
const WORDS = /^(?:holds a secret \(one-time token\); send it only where|must be at most)/
const REFUSED = { status: 400, body: { error: { code: 'validation_error' } } }

/** Each request that keeps a text, with the path that its refusal names. */
const PLACES: readonly [path: string, url: string, body: (text: string, paying: string) => object][] = [
  [
    'reference',
    '/v1/charges',
    (text, paying) => ({ amount: 1, currency: 'AUD', token: paying, reference: text }),
  ],
  ['reference', '/v1/charges/ID/refunds', (text) => ({ amount: '1.00', reference: text })],
  ['reference', '/v1/checkouts/intent', (text) => ({ version: 1, amount: '10.00', reference: text })],
  ['meta.a.0', '/v1/payment_sources/tokens', (text) => ({ ...testCard, meta: { a: [text] } })],
  ['meta.a', '/v1/payment_sources/tokens', (text) => ({ ...testCard, meta: { a: { [text]: 1 } } })],
  [
    'label',
    '/v1/checkouts/templates?type=customisation',
    (text) => ({ version: 1, content: {}, label: text }),
  ],
  ['url', '/v1/webhooks', (text) => ({ url: `https://shop.example/?of=${encodeURIComponent(text)}` })],
]

describe('a one-time token', () => {
  it.each(PLACES)(
    'is refused in %s of %s in every spelling, and nothing is kept',
    async (path, url, body) => {
      const paying = await service.tokenise()
      const before = await storedRows(service.database)
      for (const spell of Object.values(SPELLINGS_OF_TOKENS)) {
        const answer = await send('POST', url.replace('ID', chargeId), body(spell(token), paying))
        expect(answer).toMatchObject(REFUSED)
        const { details = [] } = answer.body.error ?? {}
        expect(details.map((one) => one.path)).toEqual([path])
        expect(details[0]?.message).toMatch(WORDS)
      }
      expect(await storedRows(service.database)).toEqual(before)
      expect(service.logged()).not.toContain(token)
    },
  )

  it('is not logged as an x-request-id, and pays all the same where it belongs', async () => {
    const paying = await service.tokenise()
    for (const id of [paying, paying.replaceAll('-', '')]) {
      const { headers } = await send('GET', `/v1/charges/${chargeId}`, undefined, { 'x-request-id': id })
      expect(headers['x-request-id']).not.toBe(id)
    }
    const key = { 'idempotency-key': paying }
    const charge = { amount: 1, currency: 'AUD', token: paying }
    expect((await send('POST', '/v1/charges', charge, key)).status).toBe(201)
    expect(service.logged().replaceAll('-', '')).not.toContain(paying.replaceAll('-', ''))
  })

  it('is refused in a list’s query, and in the name of a field', async () => {
    expect(await send('GET', `/v1/charges?reference=${token}`)).toMatchObject(REFUSED)
    const answer = await send('POST', `/v1/charges/${chargeId}/refunds`, { amount: '1.00', [token]: 1 })
    expect(answer).toMatchObject(REFUSED)
    expect(answer.body.error?.details?.map(({ path }) => path)).toEqual(['[one-time token]'])
  })
})

describe('another secret', () => {
  it('is refused as a reference, whichever it is', async () => {
    const made = await send('POST', '/v1/checkouts/intent', { version: 1, amount: '10.00' })
    const hook = await send('POST', '/v1/webhooks', { url: 'https://shop.example/hook' })
    const secrets = {
      'checkout token': v.parse(v.object({ token: v.string() }), made.body.resource.data).token,
      'webhook secret': v.parse(v.object({ secret: v.string() }), hook.body.resource.data).secret,
      'access token': await service.accessToken(),
      'secret key': service.merchant.secretKey,
    }
    for (const [kind, secret] of Object.entries(secrets))
      for (const spell of Object.values(SPELLINGS)) {
        const text = spell(secret)
        // Longer texts than a description may have are refused for their length.
        if (text.length > 1000) continue
        const payload = { version: 1, amount: '10.00', description: text }
        const { status, body } = await send('POST', '/v1/checkouts/intent', payload)
        expect([status, body.error?.details?.[0]?.message]).toEqual([400, expect.stringContaining(kind)])
      }
    const logged = service.logged()
    for (const secret of Object.values(secrets)) expect(logged).not.toContain(secret)
  })

  it('is no public key: that stands in pages, and may be a reference', async () => {
    const payload = { version: 1, amount: '10.00', reference: service.merchant.publicKey }
    expect((await send('POST', '/v1/checkouts/intent', payload)).status).toBe(201)
  })
})
