import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { inline, markup } from './markup.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())

describe('GET /docs', () => {
  it('shows every operation that the document has, with a place to link to', async () => {
    const { body, headers } = await service.raw({ url: '/docs' })
    for (const { method, path, operation } of service.routes) {
      if (operation === undefined) continue
      expect(body).toContain(`<article id="${operation.id}">`)
      expect(body).toContain(`href="#${operation.id}"`)
      expect(body).toContain(`${method}</span> ${path}`)
    }
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
  })

  it('may run its own style and script, loads nothing, and is kept', async () => {
    const { body, headers } = await service.raw({ url: '/docs' })
    const policy = String(headers['content-security-policy'])
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-\S+'; script-src 'sha256-\S+'/)
    expect(policy).not.toContain('unsafe')
    expect(body).not.toMatch(/\s(?:src|style|on\w+)="/)
    const again = await service.raw({ url: '/docs', headers: { 'if-none-match': String(headers.etag) } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })
})

describe('markup', () => {
  it('escapes what is put into it', () => {
    expect(markup`<a title="${'"<&'}">${['<b>', markup`<i>`]}</a>`.html).toBe(
      '<a title="&quot;&lt;&amp;">&lt;b&gt;<i></a>',
    )
    expect(inline('a `<b>` c').html).toBe('a <code>&lt;b&gt;</code> c')
  })
})
