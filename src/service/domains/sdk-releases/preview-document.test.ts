import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testRelease } from '../../testing/test-release.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'

const SCRIPT = 'startPreview("</body>")'

let service: TestService
beforeAll(async () => {
  const releases = [testRelease('1.1.0'), testRelease('1.0.0')]
  service = await createTestService({ releases, previewScript: SCRIPT })
})
afterAll(() => service.close())

describe('the document of a preview', () => {
  it.each([
    ['v1.0.0', 'v1.0.0'],
    ['latest', 'v1.1.0'],
  ])('of %s loads the SDK of release %s, by its hash', async (release, folder) => {
    const { body } = await service.raw({ url: `/sdk/${release}/preview` })
    const { integrity } = testRelease('1.0.0').files.get('widget.umd.min.js') ?? {}
    const address = `http://localhost:8080/sdk/${folder}/widget.umd.min.js`
    expect(body).toContain(`<script src="${address}" integrity="${integrity ?? ''}"`)
    expect(body).toContain('data-dashboard="http://localhost:8070"')
    expect(body).toContain('Preview: nothing that is typed here is sent.')
  })

  it('may run two scripts, frame the card form and be framed by the dashboard; no forms', async () => {
    const { headers } = await service.raw({ url: '/sdk/v1.0.0/preview' })
    const policy = String(headers['content-security-policy']).split('; ')
    const hash = createHash('sha256').update(SCRIPT).digest('base64')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain(`script-src http://localhost:8080/sdk/v1.0.0/widget.umd.min.js 'sha256-${hash}'`)
    expect(policy).toContain('frame-src http://localhost:8080')
    expect(policy).toContain('frame-ancestors http://localhost:8070')
    expect(policy).toContain('sandbox allow-scripts allow-same-origin')
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy.join()).not.toMatch(/unsafe|\*|connect-src/)
  })

  it('sets no cookie, and is not there for a release that is not', async () => {
    const { headers } = await service.raw({ url: '/sdk/v1.0.0/preview' })
    expect(headers).not.toHaveProperty('set-cookie')
    const { status, body } = await service.call({ url: '/sdk/v9.9.9/preview' })
    expect([status, body.error?.code]).toEqual([404, 'not_found'])
  })
})

describe('the card form of a preview', () => {
  const frame = (key: string) => service.raw({ url: `/sdk/v1.0.0/frame?public_key=${key}` })

  it('can send nothing, and is framed by the preview within the dashboard alone', async () => {
    const { headers, body } = await frame('preview')
    expect(body).toContain('"ready":true,"public_key":"preview"')
    expect(headers['content-security-policy']).toContain(
      'connect-src http://localhost:8080/sdk/v1.0.0/languages/; ',
    )
    expect(headers['content-security-policy']).toContain(
      'frame-ancestors http://localhost:8070 http://localhost:8080',
    )
  })

  it('has a key that no route takes', async () => {
    const { status, body } = await service.call({
      method: 'POST',
      url: '/v1/payment_sources/tokens',
      headers: { 'x-user-public-key': 'preview' },
      payload: { type: 'card' },
    })
    expect([status, body.error?.code]).toEqual([401, 'unauthorized'])
  })

  it('leaves the documents of merchants as they are', async () => {
    const { headers } = await frame(service.merchant.publicKey)
    expect(headers['content-security-policy']).toContain(
      'connect-src http://localhost:8080/v1/payment_sources/tokens http://localhost:8080/sdk/v1.0.0/languages/;',
    )
  })
})
