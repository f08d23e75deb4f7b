import { brotliDecompressSync } from 'node:zlib'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FrameSetup } from '../../contract/frame-setup.ts'
import { createTestService } from '../testing/test-service.ts'
import type { TestService } from '../testing/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())

const frame = (query: string, headers = {}) => service.raw({ url: `/sdk/v1.0.0/frame?${query}`, headers })
const setupOf = (html: string) =>
  v.parse(FrameSetup, JSON.parse(/<script id="svc-setup">(.*)<\/script>/.exec(html)?.[1] ?? ''))

describe('an SDK file', () => {
  it.each([
    ['/sdk/v1.0.0/widget.umd.min.js', 'public, max-age=31536000, immutable'],
    ['/sdk/latest/widget.umd.min.js', 'public, max-age=300'],
  ])('%s is cached as %s and open to every origin', async (url, caching) => {
    const answer = await service.raw({ url })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'cache-control': caching,
      'access-control-allow-origin': '*',
      'content-type': 'application/javascript; charset=utf-8',
    })
  })

  it('with the texts of a language is cached for ever and open to every origin', async () => {
    const answer = await service.raw({ url: '/sdk/v1.0.0/languages/fr.json' })
    expect(answer.json()).toEqual({ title: 'Carte' })
    expect(answer.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
    })
  })

  it.each([
    ['/sdk/v1.0.0/languages/xx.json'],
    ['/sdk/v1.0.0/none.js'],
    ['/sdk/v9.9.9/widget.umd.min.js'],
    ['/sdk/v1.0.0/..%2f..%2fpackage.json'],
  ])('%s is not there', async (url) => {
    expect((await service.call({ url })).status).toBe(404)
  })
})

describe('the frame document', () => {
  it('holds the set-up of its key', async () => {
    const answer = await frame(`public_key=${service.merchant.publicKey}`)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(setupOf(answer.body)).toEqual({
      ready: true,
      language: { code: 'en', words: { title: 'Card' } },
      public_key: service.merchant.publicKey,
      gateway_id: 'default',
      gateway_type: 'sandbox',
      tokens_url: 'http://localhost:8080/v1/payment_sources/tokens',
      languages_url: 'http://localhost:8080/sdk/v1.0.0/languages/',
    })
  })

  it('may do nothing but run its own script and style, send its one request and load texts', async () => {
    const { headers } = await frame(`public_key=${service.merchant.publicKey}`)
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'sha256-a'; style-src 'sha256-b'; connect-src http://localhost:8080/v1/payment_sources/tokens http://localhost:8080/sdk/v1.0.0/languages/; base-uri 'none'; form-action 'none'",
    )
  })

  it('is in the language that its address asks for, with the words of it', async () => {
    const query = `public_key=${service.merchant.publicKey}`
    const { body } = await frame(`${query}&language=fr`)
    expect(body).toContain('lang=fr')
    expect(setupOf(body)).toMatchObject({ language: { code: 'fr', words: { title: 'Carte' } } })
    expect((await frame(`${query}&language=xx`)).body).toBe((await frame(query)).body)
  })

  it('speaks its language also when it can’t be set up', async () => {
    const { body } = await frame('public_key=pk_wrong&language=fr')
    expect(setupOf(body)).toMatchObject({
      ready: false,
      language: { code: 'fr', words: { title: 'Carte' } },
    })
  })

  it("is for the merchant's own origins only, when it has set any", async () => {
    const picky = await service.makeMerchant({ allowedOrigins: ['https://shop.example'] })
    const { headers } = await frame(`public_key=${picky.publicKey}`)
    expect(headers['content-security-policy']).toMatch(/; frame-ancestors https:\/\/shop\.example$/)
  })

  it('is compressed with brotli, and known again by its ETag', async () => {
    const query = `public_key=${service.merchant.publicKey}`
    const plain = await frame(query)
    const answer = await frame(query, { 'accept-encoding': 'gzip, br' })
    expect(answer.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(answer.rawPayload).toString()).toBe(plain.body)
    expect((await frame(query, { 'if-none-match': plain.headers.etag })).statusCode).toBe(304)
  })

  it.each([
    ['unauthorized', 'public_key=pk_wrong'],
    ['unauthorized', ''],
    ['gateway_not_found', 'public_key=OWN&gateway_id=6b01799184f819f4cecbe1a7'],
  ])('says %s for ?%s, so that the widget can', async (code, query) => {
    const { body } = await frame(query.replace('OWN', service.merchant.publicKey))
    expect(setupOf(body)).toMatchObject({ ready: false, error: { code } })
  })

  it('lets nothing in its address out of the JSON', async () => {
    const { body } = await frame(`public_key=${encodeURIComponent('</script><script>alert(1)//')}`)
    expect(body.match(/<script/g)).toHaveLength(1)
    expect(body).not.toContain('alert')
  })
})
