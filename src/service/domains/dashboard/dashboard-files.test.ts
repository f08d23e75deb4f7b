import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDashboard } from '../../testing/test-dashboard.ts'
import type { TestDashboard } from '../../testing/test-dashboard.ts'
import { createTestService } from '../../testing/test-service.ts'
import { ownPage } from './testing/signed-in.ts'
import { readDashboardFiles } from './dashboard-files.ts'

const SCRIPT = 'console.log(1)'.repeat(50)
const DOCUMENT =
  '<!doctype html><script type="module" crossorigin src="/assets/main-abc.js"></script><link rel="stylesheet" crossorigin href="/assets/main.css">'
const FILES =
  '</assets/main-abc.js>; rel=modulepreload; crossorigin, </assets/main.css>; rel=preload; as=style; crossorigin'

let folder: string
let dashboard: TestDashboard
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-dashboard-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), DOCUMENT)
  writeFileSync(join(folder, 'assets', 'main-abc.js'), SCRIPT)
  writeFileSync(join(folder, 'assets', 'main-abc.js.br'), brotliCompressSync(SCRIPT))
  writeFileSync(join(folder, 'secret.txt'), 'not served')
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), 'preact (MIT)')
  const dashboardFiles = readDashboardFiles(folder)
  if (dashboardFiles === null) throw new Error('it was built')
  dashboard = await createTestDashboard({ dashboardFiles })
  // The files are served from memory, so the folder is not needed after the start.
  rmSync(folder, { recursive: true })
})
afterAll(() => dashboard.close())

const ask = (options: InjectOptions) => dashboard.app.inject(options)
const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none', accept: 'text/html,*/*' }

it.each([{}, navigation])('the licences of packages are a text for every client: %o', async (headers) => {
  const answer = await ask({ url: '/THIRD-PARTY-NOTICES.txt', headers })
  expect([answer.statusCode, answer.body]).toEqual([200, 'preact (MIT)'])
  expect(answer.headers).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-cache',
  })
})

describe('the document', () => {
  it.each([
    '/',
    '/charges',
    '/charges/6b01799184f819f4cecbe1a7?tab=1',
    '/agreements',
    '/payments/x',
    '/invitation',
  ])('is at %s for a browser that opens a page', async (url) => {
    const { statusCode, body, headers } = await ask({ url, headers: navigation })
    expect([statusCode, body]).toEqual([200, DOCUMENT])
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    expect(headers['strict-transport-security']).toBeUndefined()
  })

  it('may only load its own files and ask its own API', async () => {
    const { headers } = await ask({ url: '/', headers: navigation })
    const policy = String(headers['content-security-policy'])
    expect(policy).toMatch(/^default-src 'none'; /)
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'")
    expect(policy).toContain('; frame-src http://localhost:8080;')
    expect(policy.replace('frame-src http://localhost:8080', '')).not.toMatch(/unsafe|https?:|\*/)
  })

  it('names its script and style in a header, and the overview if that comes first', async () => {
    const linkOf = async (url: string, cookie = {}) =>
      (await ask({ url, headers: { ...navigation, ...cookie } })).headers.link
    const signedIn = { cookie: 'svc_session=x' }
    expect(await linkOf('/', signedIn)).toBe(`${FILES}, </api/overview>; rel=preload; as=fetch; crossorigin`)
    expect(await linkOf('/')).toBe(FILES)
    expect(await linkOf('/charges', signedIn)).toBe(FILES)
    expect(await linkOf('/?days=7', signedIn)).toBe(FILES)
  })

  it('has its overview compressed, and kept by no cache', async () => {
    const headers = { cookie: dashboard.signIn(), 'accept-encoding': 'br' }
    const overview = await ask({ url: '/api/overview', headers })
    expect(overview.headers).toMatchObject({ 'content-encoding': 'br', 'cache-control': 'no-store' })
    const answer: unknown = JSON.parse(brotliDecompressSync(overview.rawPayload).toString())
    expect(answer).toMatchObject({ status: 200, error: null, resource: { type: 'overview' } })
  })

  it('is not sent again to a browser that has it', async () => {
    const { headers } = await ask({ url: '/', headers: navigation })
    const again = await ask({ url: '/', headers: { ...navigation, 'if-none-match': String(headers.etag) } })
    expect(again.statusCode).toBe(304)
  })

  it('also comes without Fetch Metadata, and for HEAD', async () => {
    expect((await ask({ url: '/charges', headers: { accept: 'text/html' } })).body).toBe(DOCUMENT)
    expect((await ask({ method: 'HEAD', url: '/charges', headers: navigation })).statusCode).toBe(200)
  })

  it.each(['/v1/charges', '/api/nothing', '/assets/none.js'])('is not at %s', async (url) => {
    const { statusCode, headers } = await ask({ url, headers: navigation })
    expect([401, 404]).toContain(statusCode)
    expect(headers['content-type']).toContain('json')
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; frame-ancestors 'none'/)
  })

  it('is not the answer to a script or a change at the same address', async () => {
    expect((await ask({ url: '/agreements', headers: ownPage })).statusCode).toBe(401)
    expect((await ask({ url: '/charges', headers: ownPage })).statusCode).toBe(404)
    expect((await ask({ method: 'POST', url: '/', headers: navigation })).statusCode).toBe(403)
  })
})

describe('the dashboard’s files', () => {
  it('may be cached for ever, and come as the build compressed them', async () => {
    const { headers, rawPayload } = await ask({
      url: '/assets/main-abc.js',
      headers: { 'accept-encoding': 'br' },
    })
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect(rawPayload.equals(brotliCompressSync(SCRIPT))).toBe(true)
    expect(brotliDecompressSync(rawPayload).toString()).toBe(SCRIPT)
    expect((await ask({ url: '/assets/main-abc.js' })).body).toBe(SCRIPT)
  })

  it.each([
    '/assets/../secret.txt',
    '/assets/%2e%2e/secret.txt',
    '/secret.txt',
    '/assets/',
    '/assets/main-abc.js.br',
  ])('are only those that were built: %s', async (url) => {
    expect((await ask({ url })).statusCode).toBe(404)
  })
})

it('a dashboard that was not built says how to build it', async () => {
  expect(readDashboardFiles('/none')).toBeNull()
  const other = await createTestService()
  const { statusCode, body } = await other.dashboard.app.inject({ url: '/charges', headers: navigation })
  expect([statusCode, body]).toEqual([
    503,
    expect.stringMatching(/^The dashboard is not built here: run `npm run build`.*\n$/),
  ])
  await other.close()
})

it('on https, browsers are told never to use http', async () => {
  const other = await createTestService({ settings: { SVC_DASHBOARD_URL: 'https://my.example.com' } })
  const { headers } = await other.dashboard.app.inject({ url: '/', headers: navigation })
  expect(headers['strict-transport-security']).toBe('max-age=63072000')
  await other.close()
})
