import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CheckoutSetup } from '../../contract/checkout-setup.ts'
import { testRelease } from '../testing/test-release.ts'
import { createTestService } from '../testing/test-service.ts'
import type { TestService } from '../testing/test-service.ts'

const ORIGIN = 'https://shop.example'
let service: TestService
beforeAll(async () => {
  const old = testRelease('1.0.0')
  const recent = testRelease('1.1.0')
  const files = new Map(recent.files)
  for (const [path, file] of recent.files) {
    files.set(
      path.replace('frame/frame', 'frame/checkout').replace('languages/', 'languages/checkout/'),
      file,
    )
  }
  service = await createTestService({}, {}, [{ ...recent, files }, old])
})
afterAll(() => service.close())

const open = (release: string, intentId = '') =>
  service.raw({ url: `/sdk/${release}/checkout?intent_id=${intentId}` })

/** An intent of a merchant whose pages alone may show it. */
async function intend(): Promise<string> {
  const merchant = await service.makeMerchant({ allowedOrigins: [ORIGIN] })
  const { body } = await service.call({
    method: 'POST',
    url: '/v1/checkouts/intent',
    headers: { 'x-user-secret-key': merchant.secretKey },
    payload: { version: 1, amount: '49.00' },
  })
  return v.parse(v.object({ _id: v.string() }), body.resource.data)._id
}

describe('the checkout document', () => {
  it('is set up with where to ask, and may ask nothing else', async () => {
    const { body, headers } = await open('v1.1.0')
    const setup = v.parse(
      CheckoutSetup,
      JSON.parse(/<script id="svc-setup">(.*)<\/script>/.exec(body)?.[1] ?? ''),
    )
    const { language, ...addresses } = setup
    expect(language.code).toBe('en')
    expect(addresses).toEqual({
      session_url: 'http://localhost:8080/v1/checkouts/session',
      payments_url: 'http://localhost:8080/v1/checkouts/session/payments',
      tokens_url: 'http://localhost:8080/v1/payment_sources/tokens',
      languages_url: 'http://localhost:8080/sdk/v1.1.0/languages/checkout/',
    })
    expect(headers['content-security-policy']).toContain(`connect-src ${Object.values(addresses).join(' ')};`)
  })

  it('of an intent may be shown by its merchant’s pages alone', async () => {
    const { headers } = await open('v1.1.0', await intend())
    expect(headers['content-security-policy']).toContain(`frame-ancestors ${ORIGIN}`)
  })

  it.each(['0'.repeat(24), 'no-id', ''])('of the unknown intent "%s" is like any other', async (id) => {
    const { statusCode, body } = await open('v1.1.0', id)
    expect(statusCode).toBe(200)
    expect(body).toBe((await open('v1.1.0')).body)
  })

  it('is not there in a release that has none', async () => {
    expect((await open('v1.0.0')).statusCode).toBe(404)
    expect((await open('latest')).statusCode).toBe(200)
  })
})
