import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FrameSetup } from '../../../contract/page/frame-setup.ts'
import { testRelease } from '../../testing/test-release.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService({ releases: [testRelease('1.1.0'), testRelease('1.0.0')] })
})
afterAll(() => service.close())

const frame = (query: string, headers = {}, release = 'v1.0.0') =>
  service.raw({ url: `/sdk/${release}/frame?${query}`, headers })
const setupOf = (html: string) =>
  v.parse(FrameSetup, JSON.parse(/<script id="svc-setup">(.*)<\/script>/.exec(html)?.[1] ?? ''))

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
      today: new Date().toISOString().slice(0, 10),
    })
  })

  it.each([
    ['v1.0.0', 'v1.0.0'],
    ['v1.1.0', 'v1.1.0'],
    ['latest', 'v1.1.0'],
  ])('of %s has the texts of release %s', async (release, folder) => {
    const answer = await frame(`public_key=${service.merchant.publicKey}`, {}, release)
    const languages = `http://localhost:8080/sdk/${folder}/languages/`
    expect(setupOf(answer.body)).toMatchObject({ languages_url: languages })
    expect(answer.headers['content-security-policy']).toContain(languages)
  })

  it('of a release that is not there is not found', async () => {
    const answer = await service.raw({ url: '/sdk/v9.9.9/frame' })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(answer.body).toContain('http://localhost:8080 has no SDK release v9.9.9.')
  })

  it('may do nothing but run its own script and style, send its one request and load texts', async () => {
    const { headers } = await frame(`public_key=${service.merchant.publicKey}`)
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'sha256-a'; style-src 'sha256-b'; connect-src http://localhost:8080/v1/payment_sources/tokens http://localhost:8080/sdk/v1.0.0/languages/; base-uri 'none'; form-action 'none'; frame-ancestors *",
    )
  })

  it('is in the language that its address asks for, with the words of it', async () => {
    const query = `public_key=${service.merchant.publicKey}`
    const { body } = await frame(`${query}&language=fr`)
    expect(body).toContain('lang=fr')
    expect(setupOf(body)).toMatchObject({ language: { code: 'fr', words: { title: 'Carte' } } })
    expect((await frame(`${query}&language=fr-CA`)).body).toBe(body)
    for (const unknown of ['language=xx', 'language=fr&language=de'])
      expect((await frame(`${query}&${unknown}`)).body).toBe((await frame(query)).body)
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

  it('is compressed, and known again by the ETag of what was sent', async () => {
    const query = `public_key=${service.merchant.publicKey}`
    const plain = await frame(query)
    const brotli = await frame(query, { 'accept-encoding': 'gzip, br' })
    expect(brotli.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain.body)
    const gzip = await frame(query, { 'accept-encoding': 'gzip' })
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body)
    expect((await frame(query, { 'if-none-match': plain.headers.etag })).statusCode).toBe(304)
    expect((await frame(query, { 'if-none-match': brotli.headers.etag })).statusCode).toBe(200)
  })

  it('is asked for again each time, as a key may be revoked', async () => {
    expect((await frame('')).headers['cache-control']).toBe('private, no-cache')
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
