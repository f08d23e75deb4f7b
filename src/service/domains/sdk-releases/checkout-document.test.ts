import { brotliDecompressSync } from 'node:zlib'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CheckoutSetup } from '../../../contract/page/checkout-setup.ts'
import { testRelease } from '../../testing/test-release.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'

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
  service = await createTestService({ releases: [{ ...recent, files }, old] })
})
afterAll(() => service.close())

const open = (release: string, intentId = '') =>
  service.raw({ url: `/sdk/${release}/checkout?intent_id=${intentId}` })

/** An intent of a merchant of its own, whose pages alone may show it. */
async function intend(allowedOrigins = [ORIGIN]): Promise<string> {
  const merchant = await service.makeMerchant({ allowedOrigins })
  const { body } = await service.call({
    method: 'POST',
    url: '/v1/checkouts/intent',
    headers: { 'x-user-secret-key': merchant.secretKey },
    payload: { version: 1, amount: '49.00' },
  })
  return v.parse(v.object({ _id: v.string() }), body.resource.data)._id
}

const setupIn = (body: string) =>
  v.parse(CheckoutSetup, JSON.parse(/<script id="svc-setup">(.*)<\/script>/.exec(body)?.[1] ?? ''))

describe('the checkout document', () => {
  it('is set up with where to ask about its own intent, and may ask nothing else', async () => {
    const id = await intend()
    const { body, headers } = await open('v1.1.0', id)
    const { language, today, ...addresses } = setupIn(body)
    expect([language.code, today]).toEqual(['en', new Date().toISOString().slice(0, 10)])
    expect(addresses).toEqual({
      session_url: `http://localhost:8080/v1/checkouts/session?intent_id=${id}`,
      payments_url: `http://localhost:8080/v1/checkouts/session/payments?intent_id=${id}`,
      tokens_url: `http://localhost:8080/v1/payment_sources/tokens?intent_id=${id}`,
      authentications_url: 'http://localhost:8080/v1/authentications/',
      languages_url: 'http://localhost:8080/sdk/v1.1.0/languages/checkout/',
    })
    // A source of a policy has no query (CSP 3 §2.3.1).
    const asked = Object.values(addresses).map((address) => address.replace(/\?.*/, ''))
    expect(headers['content-security-policy']).toContain(`connect-src ${asked.join(' ')};`)
  })

  it('of an intent may be shown by its merchant’s pages alone', async () => {
    const { headers } = await open('v1.1.0', await intend())
    expect(headers['content-security-policy']).toMatch(/; frame-ancestors https:\/\/shop\.example$/)
  })

  it('of a merchant that names no pages may be shown by every page, and says so', async () => {
    const { headers } = await open('v1.1.0', await intend([]))
    expect(headers['content-security-policy']).toMatch(/; frame-ancestors \*$/)
  })

  it.each([
    ['of an unknown intent', '0'.repeat(24), "'none'"],
    ['of what is no id', 'no-id', '*'],
    ['of no intent', '', '*'],
  ])('%s may be shown, if at all, to say so: it asks about no intent', async (_name, id, ancestors) => {
    const { statusCode, body, headers } = await open('v1.1.0', id)
    expect(statusCode).toBe(200)
    expect(headers['content-security-policy']?.toString().endsWith(`; frame-ancestors ${ancestors}`)).toBe(
      true,
    )
    expect(setupIn(body).session_url).toMatch(/\?intent_id=$/)
    expect(body).toBe((await open('v1.1.0')).body)
  })

  it('comes compressed, and is known again', async () => {
    const url = `/sdk/v1.1.0/checkout?intent_id=${await intend()}`
    const ask = (headers: Record<string, string>) => service.raw({ url, headers })
    const brotli = await ask({ 'accept-encoding': 'br' })
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe((await ask({})).body)
    const again = await ask({ 'accept-encoding': 'br', 'if-none-match': String(brotli.headers.etag) })
    expect([again.statusCode, again.headers['content-security-policy']]).toEqual([
      304,
      brotli.headers['content-security-policy'],
    ])
  })

  it('is not there in a release that has none', async () => {
    expect((await open('v1.0.0')).statusCode).toBe(404)
    expect((await open('latest')).statusCode).toBe(200)
  })
})
