import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChargeResource } from '../../../contract/api/charges/charge-resource.ts'
import { ERROR_STATUS } from '../../../contract/api/envelope.ts'
import { SearchEntries } from '../../../contract/docs/search-entry.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { isDescribed } from '../openapi/document.ts'
import { guidePages } from './guides.ts'
import { docsSite, searchEntries } from './site.ts'

const SERVED = { baseUrl: 'http://localhost:8080', widgetUrl: 'http://localhost:8080' }
let service: TestService
let paths: string[]
let read: (path: string) => Promise<string>
beforeAll(async () => {
  service = await createTestService()
  paths = [...docsSite(service.routes.filter(isDescribed), SERVED).pages.keys()]
  read = async (path) => (await service.raw({ url: path })).body
})
afterAll(() => service.close())

const linksOf = (html: string): string[] => [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href)

/** Without the menu, in which every page is. */
const mainOf = (html: string): string => /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? ''

/** What stands from an anchor to the next heading, operation or object: what a reader sees whom a link brings there. */
const partOf = (html: string, id: string): string =>
  html.slice(html.indexOf(`id="${id}"`)).split(/<(?:h2|article|section) id=/)[0] ?? ''

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
    [
      'How do I authorise, and capture later?',
      ['POST', '/v1/charges?capture=false', 'Idempotency-Key', 'curl'],
    ],
    ['What does each field mean?', Object.keys(ChargeResource.entries)],
    ['What do I do with each error?', Object.keys(ERROR_STATUS)],
    ['How do I test?', ['5111111111111118', '01/39', '05/39', '.51', 'test.ping']],
    ['How do I verify a webhook?', ['verifyWebhook', 'webhook-id', 'WEBHOOK_SECRET']],
  ])('answers where one click leads: %s', async (question, words) => {
    const [before = ''] = mainOf(await read('/docs')).split(`">${question}<`)
    const [path = '', anchor] = before.slice(before.lastIndexOf('href="') + 'href="'.length).split('#')
    const page = mainOf(await read(path))
    const answer = anchor === undefined ? page : partOf(page, anchor)
    expect(words.filter((word) => !answer.includes(word))).toEqual([])
  })

  it('breaks long names in the tables of guides between their words, and card numbers nowhere', async () => {
    const page = await read('/docs/guides/3-d-secure')
    expect(page).toContain('<td><code>not_<wbr>authenticated</code></td>')
    expect(page).toContain('<td><code>charge<wbr>Auth<wbr>Cancelled</code>')
    expect(page).toContain('<code>pre_authentication_pending</code>')
    expect(page).toContain('<code>timed_out</code>')
    expect(await read('/docs/guides/contract')).toContain('<code>SVC_<wbr>WIDGET_<wbr>ALIASES</code>')
    expect(await read('/docs/guides/testing')).toContain('<td>4970&nbsp;1100&nbsp;0000&nbsp;1011</td>')
  })

  it('says of each error what it means, and in another sentence what to do', async () => {
    const page = await read('/docs/errors')
    const without = Object.keys(ERROR_STATUS).filter(
      (code) => !new RegExp(`<dt id="${code}">.*?</dt><dd>[^<]+[.:] [^<]+<`).test(page),
    )
    expect(without).toEqual([])
  })

  it('names every kind of an object that is of several kinds', async () => {
    const agreements = await read('/docs/reference/agreements')
    expect(agreements).toContain(
      '<code>EMAIL</code> <code>PHONE</code> <code>ABN</code> <code>ORGANISATION</code>',
    )
  })

  it('stands in an origin of its own, may use its own style and script, and is kept', async () => {
    const { headers, body } = await service.raw({ url: '/docs' })
    const [integrity] = /sha256-[^"]+(?=" crossorigin)/.exec(body) ?? []
    const policy = String(headers['content-security-policy']).split('; ')
    expect(policy[0]).toMatch(/^sandbox allow-scripts /)
    expect(policy[0]).not.toMatch(/allow-same-origin|allow-forms/)
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        expect.stringMatching(/^style-src 'sha256-[^' ]+'$/),
        `script-src '${String(integrity)}'`,
        "connect-src 'self' http://localhost:8080/docs/search.json",
        "require-trusted-types-for 'script'",
      ]),
    )
    expect(body.match(/<script[^>]*>|\s(?:style|on\w+)="/g)).toHaveLength(1)
    expect((await service.raw({ url: '/docs/' })).body).toBe(body)
    const again = await service.raw({ url: '/docs', headers: { 'if-none-match': String(headers.etag) } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  it.each([['/docs/docs.js'], ['/docs/search.json']])(
    'gives %s to its pages, which stand in an origin of their own, compressed',
    async (url) => {
      const { statusCode, headers } = await service.raw({
        url,
        headers: { 'accept-encoding': 'br', origin: 'null' },
      })
      expect([statusCode, headers['content-encoding']]).toEqual([200, 'br'])
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': 'no-cache',
      })
    },
  )

  it('leads a search to places that exist, each once, and to every operation, error and field', async () => {
    const entries = v.parse(SearchEntries, (await service.raw({ url: '/docs/search.json' })).json())
    const hrefs = entries.map(({ href }) => href)
    expect(hrefs.filter((href, at) => hrefs.indexOf(href) !== at)).toEqual([])
    const pages = new Map(await Promise.all(paths.map(async (path) => [path, await read(path)] as const)))
    const isDead = (href: string) => {
      const [path = '', anchor] = href.split('#')
      return anchor === undefined ? !pages.has(path) : pages.get(path)?.includes(` id="${anchor}"`) !== true
    }
    expect(hrefs.filter(isDead)).toEqual([])
    const anchors = new Set(hrefs.map((href) => href.split('#')[1]))
    const wanted = [
      ...service.routes.flatMap(({ operation }) => operation?.id ?? []),
      ...Object.keys(ERROR_STATUS),
      ...Object.keys(ChargeResource.entries).map((name) => `object-Charge.${name}`),
    ]
    expect(wanted.filter((name) => !anchors.has(name))).toEqual([])
    expect(entries.filter(({ title, text }) => /&(?:amp|lt|gt|quot|#\d+);/.test(title + text))).toEqual([])
  })

  it('is where the root leads a browser, and what it names to a program', async () => {
    const browser = await service.raw({ url: '/', headers: { accept: 'text/html,*/*' } })
    expect([browser.statusCode, browser.headers.location]).toEqual([302, '/docs'])
    const { status, body } = await service.call({ url: '/' })
    expect([status, body.resource]).toEqual([
      200,
      {
        type: 'service',
        data: {
          documentation: 'http://localhost:8080/docs',
          openapi: 'http://localhost:8080/openapi.json',
          health: 'http://localhost:8080/health',
        },
      },
    ])
    const head = await service.raw({ method: 'HEAD', url: '/' })
    expect([head.statusCode, head.headers['content-length'] === '0', head.body]).toEqual([200, false, ''])
  })

  it('names the addresses of the service that shows it, and no steps of one on the own machine', () => {
    const hosted = { baseUrl: 'https://pay.example', widgetUrl: 'https://forms.example' }
    const { guides, details } = guidePages(hosted)
    const pages = [...guides, ...details].map(({ path, body }) => [path, body.html] as const)
    for (const [path, html] of pages)
      expect([path, /localhost:80|npm (?:start|run)|demo\.json|<!--/.exec(html)?.[0]]).toEqual([
        path,
        undefined,
      ])
    const htmlOf = (name: string) => pages.find(([path]) => path.endsWith(name))?.[1]
    expect(htmlOf('/widget')).toContain('https://forms.example/sdk/latest/widget.umd.min.js')
    expect(htmlOf('/agreements')).toContain('SERVICE=https://pay.example')
    const local = guidePages(SERVED)
    expect(local.details.find(({ path }) => path.endsWith('/agreements'))?.body.html).toContain('npm start')
  })

  it('shows no steps of the own machine in a sandbox that others run', async () => {
    const settings = { SVC_ENVIRONMENT: 'sandbox', SVC_BASE_URL: 'https://sandbox.pay.example' }
    const hosted = await createTestService({ settings })
    const { body } = await hosted.raw({ url: '/docs/guides/first-payment' })
    expect([body.includes('https://sandbox.pay.example'), /npm start|demo\.json/.exec(body)?.[0]]).toEqual([
      true,
      undefined,
    ])
    await hosted.close()
  })

  it.each(['/docs/nothing', '/docs/guides/no/such'])(
    'shows a browser its menu where there is no page, and says it to a program: %s',
    async (url) => {
      const page = await service.raw({ url, headers: { accept: 'text/html,*/*' } })
      expect(page.statusCode).toBe(404)
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(page.headers['content-security-policy']).toMatch(/^sandbox /)
      expect(mainOf(page.body)).toContain('There is no such page')
      expect(linksOf(page.body)).toContain('/docs/guides/first-payment')
      const { status, body } = await service.call({ url })
      expect([status, body.error?.code]).toEqual([404, 'not_found'])
    },
  )
})

const entriesOf = (html: string, path = '/docs/reference/things') =>
  searchEntries([{ path, title: 'Things', summary: 'All things.', parts: [], body: { html } }])

it('a page, its operations and their fields are entries, each with its own words', () => {
  const html = `<h1>Things</h1><p>Before &amp; after.</p>
<article id="makeThing"><h2>Make a <code>thing</code> <a class="anchor" href="#makeThing">#</a></h2><p>It is made.</p>
<table><tr id="makeThing.body.color"><td><code>paint.<wbr>color</code></td><td>Its colour.</td></tr></table><h4>Answers</h4></article>
<section id="object-Thing"><h2>Thing: all fields</h2></section>`
  expect(entriesOf(html)).toEqual([
    { href: '/docs/reference/things', title: 'Things', within: '', kind: 'page', text: 'Before & after.' },
    {
      href: '/docs/reference/things#makeThing',
      title: 'Make a thing',
      within: 'Things',
      kind: 'operation',
      text: 'It is made.',
    },
    {
      href: '/docs/reference/things#makeThing.body.color',
      title: 'paint.color',
      within: 'Things › Make a thing',
      kind: 'field',
      text: 'Its colour.',
    },
    {
      href: '/docs/reference/things#object-Thing',
      title: 'Thing: all fields',
      within: 'Things',
      kind: 'object',
      text: '',
    },
  ])
})

it('samples, and what is marked as written elsewhere, are not searched', () => {
  const [page] = entriesOf(
    '<p>One.</p><pre tabindex="0"><code>two</code></pre><dl data-unsearched>three</dl><p>Four.</p>',
  )
  expect(page?.text).toBe('One. Four.')
})

it.each([
  ['<dt id="x"><code>x</code></dt><dd>Words.</dd>', '/docs/errors', 'error'],
  ['<dt id="x"><code>x</code></dt><dd>Words.</dd>', '/docs/events', 'event'],
  ['<h2 id="x">x</h2><p>Words.</p>', '/docs/guides/x', 'section'],
])('of %s at %s is made an %s', (html, path, kind) => {
  expect(entriesOf(html, path)[1]).toMatchObject({ href: `${path}#x`, title: 'x', kind, text: 'Words.' })
})
