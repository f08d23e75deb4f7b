import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { isDescribed } from '../openapi/document.ts'
import { docsSite } from './site.ts'

let service: TestService
let paths: string[]
let read: (path: string) => Promise<string>
beforeAll(async () => {
  service = await createTestService()
  paths = [...docsSite(service.routes.filter(isDescribed), 'http://localhost:8080').pages.keys()]
  read = async (path) => (await service.raw({ url: path })).body
})
afterAll(() => service.close())

const linksOf = (html: string): string[] => [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href)

/** Without the menu, in which every page is. */
const mainOf = (html: string): string => /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? ''

describe('the documentation at /docs', () => {
  it('shows every operation that the document has, with a place to link to', async () => {
    const reference = await Promise.all(paths.filter((path) => path.includes('/reference/')).map(read))
    for (const { method, path, operation } of service.routes) {
      if (operation === undefined) continue
      const [page] = reference.filter((html) => html.includes(`<article id="${operation.id}">`))
      expect(page).toContain(`${method}</span> ${path}`)
    }
  })

  it('has no link that leads nowhere', async () => {
    const pages = new Map(await Promise.all(paths.map(async (path) => [path, await read(path)] as const)))
    const dead = [...pages].flatMap(([path, html]) =>
      linksOf(html)
        .filter((href) => /^(?:#|\/docs)/.test(href))
        .filter((href) => {
          const [target = '', anchor] = href.split('#')
          const text = pages.get(target === '' ? path : target)
          return text === undefined || (anchor !== undefined && !text.includes(`id="${anchor}"`))
        })
        .map((href) => `${path} → ${href}`),
    )
    expect(dead).toEqual([])
  })

  it.each([
    ['how do I authorise', 'capture=false'],
    ['what does each field mean', 'total_refunded_amount'],
    ['what do I do with each error', 'Ask for another card.'],
    ['how do I test', '5111111111111118'],
    ['how do I verify a webhook', 'WEBHOOK_SECRET'],
  ])('answers in one click: %s', async (_question, words) => {
    const first = linksOf(mainOf(await read('/docs'))).filter((href) => href.startsWith('/docs/'))
    const pages = await Promise.all([...new Set(first.map((href) => href.split('#')[0] ?? ''))].map(read))
    expect(pages.filter((html) => mainOf(html).includes(words)).length).toBeGreaterThan(0)
  })

  it('names every kind of an object that is of several kinds', async () => {
    const agreements = await read('/docs/reference/agreements')
    expect(agreements).toContain(
      '<code>EMAIL</code> <code>PHONE</code> <code>ABN</code> <code>ORGANISATION</code>',
    )
  })

  it('stands in an origin of its own, may use its own style, runs no script but to find, and is kept', async () => {
    const { headers, body } = await service.raw({ url: '/docs' })
    expect(headers['content-security-policy']).toMatch(
      /^sandbox allow-top-navigation-by-user-activation; default-src 'none'; style-src 'sha256-\S+'; img-src data:/,
    )
    expect(body).not.toMatch(/<script|\s(?:src|style|on\w+)="/)
    const { headers: finding } = await service.raw({ url: '/docs/find' })
    expect(finding['content-security-policy']).toMatch(/sandbox \S+ allow-scripts;.*script-src 'sha256-\S+';/)
    const again = await service.raw({ url: '/docs', headers: { 'if-none-match': String(headers.etag) } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  it('is where the root leads a browser, and what it names to a program', async () => {
    const browser = await service.raw({ url: '/', headers: { accept: 'text/html,*/*' } })
    expect([browser.statusCode, browser.headers.location]).toEqual([302, '/docs'])
    const { status, body } = await service.call({ url: '/' })
    expect([status, body.error?.code]).toEqual([404, 'not_found'])
    expect(body.error?.message).toContain('/docs')
    expect((await service.call({ url: '/docs/nothing' })).status).toBe(404)
  })
})
