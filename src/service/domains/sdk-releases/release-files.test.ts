import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Envelope } from '../../../contract/api/envelope.ts'
import { createApp } from '../../platform/http/app.ts'
import { capturedLog } from '../../testing/captured-log.ts'
import { testRelease } from '../../testing/test-release.ts'
import { addFileRoutes } from './release-files.ts'

const releases = [
  testRelease('2.0.0-beta.1', { workflowVersions: [1, 2] }),
  testRelease('1.1.0', {
    workflowVersions: [1, 2],
    texts: { 'types/sdk/index.d.ts': 'export {}', 'THIRD-PARTY-NOTICES.txt': 'valibot (MIT)' },
  }),
  testRelease('1.0.0', { texts: { 'widget.umd.min.js': 'var old={}' } }),
]
const WIDGET = '/sdk/v1.0.0/widget.umd.min.js'

let app: FastifyInstance
beforeAll(() => {
  app = createApp(capturedLog().log)
  addFileRoutes(app, releases)
})
afterAll(() => app.close())

const get = (url: string, headers = {}) => app.inject({ url, headers })
const head = (url: string, headers = {}) => app.inject({ method: 'HEAD', url, headers })

describe('an SDK file', () => {
  it.each([
    ['/sdk/v1.0.0/widget.umd.min.js', 'text/javascript', 'public, max-age=31536000, immutable'],
    ['/sdk/v2.0.0-beta.1/widget.umd.min.js', 'text/javascript', 'public, max-age=31536000, immutable'],
    ['/sdk/v1.0.0/languages/fr.json', 'application/json', 'public, max-age=31536000, immutable'],
    ['/sdk/v1.1.0/types/sdk/index.d.ts', 'text/plain', 'public, max-age=31536000, immutable'],
    ['/sdk/v1.1.0/THIRD-PARTY-NOTICES.txt', 'text/plain', 'public, max-age=31536000, immutable'],
    ['/sdk/latest/widget.umd.min.js', 'text/javascript', 'public, max-age=300'],
    ['/sdk/releases.json', 'application/json', 'public, max-age=300'],
  ])('%s is %s, cached as %s, open to every origin', async (url, type, caching) => {
    const { statusCode, headers } = await get(url)
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({
      'content-type': `${type}; charset=utf-8`,
      'cache-control': caching,
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'timing-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
    })
  })

  it('is that of its release; latest is the newest stable one', async () => {
    expect((await get(WIDGET)).body).toBe('var old={}')
    expect((await get('/sdk/latest/widget.umd.min.js')).body).toBe('var svc={}')
    expect((await get('/sdk/latest/types/sdk/index.d.ts')).body).toBe('export {}')
  })

  it.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['identity', undefined, (bytes: Buffer) => bytes],
    ['identity;q=0', undefined, (bytes: Buffer) => bytes],
  ])('is sent to one who takes %s as %s', async (accepted, encoding, plainOf) => {
    const answer = await get(WIDGET, { 'accept-encoding': accepted })
    expect(answer.headers['content-encoding']).toBe(encoding)
    expect(plainOf(answer.rawPayload).toString()).toBe('var old={}')
    expect(answer.headers['content-length']).toBe(String(answer.rawPayload.length))
  })

  it('that no browser loads is sent plain', async () => {
    for (const url of ['/sdk/v1.1.0/types/sdk/index.d.ts', '/sdk/releases.json']) {
      const { headers } = await get(url, { 'accept-encoding': 'br' })
      expect([url, headers['content-encoding']]).toEqual([url, undefined])
    }
  })

  it('has headers only for HEAD', async () => {
    const answer = await head(WIDGET, { range: 'bytes=0-1' })
    expect([answer.statusCode, answer.body, answer.headers['content-length']]).toEqual([200, '', '10'])
  })
})

describe('a file that the client has', () => {
  const etagOf = async (headers = {}) => String((await get(WIDGET, headers)).headers.etag)

  it.each([
    ['its tag', (tag: string) => tag],
    ['its tag, weak', (tag: string) => `W/${tag}`],
    ['its tag among others', (tag: string) => `"other", ${tag}`],
    ['any', () => '*'],
  ])('is not sent again: %s', async (_, header) => {
    const etag = await etagOf()
    const answer = await get(WIDGET, { 'if-none-match': header(etag) })
    expect([answer.statusCode, answer.body, answer.headers.etag]).toEqual([304, '', etag])
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  })

  it('in another encoding, or another file, is sent', async () => {
    const brotli = await etagOf({ 'accept-encoding': 'br' })
    expect(brotli).not.toBe(await etagOf())
    expect((await get(WIDGET, { 'if-none-match': brotli })).statusCode).toBe(200)
    expect((await get(WIDGET, { 'if-none-match': '"other"' })).statusCode).toBe(200)
  })
})

it('a file is sent whole to one who asks for a range of it', async () => {
  const { statusCode, body, headers } = await get(WIDGET, { range: 'bytes=4-6' })
  expect([statusCode, body, headers['accept-ranges']]).toEqual([200, 'var old={}', undefined])
})

describe('what is in no release is not found, in the envelope:', () => {
  it.each([
    ['/sdk/v1.0.0/none.js'],
    ['/sdk/v1.0.0/languages/xx.json'],
    ['/sdk/v1.0.0/frame/frame.html'],
    ['/sdk/v1.0.0/widget.umd.min.js.br'],
    ['/sdk/v1.0.0/manifest.json'],
    ['/sdk/v1.0.0/'],
    ['/sdk/v1.0.0'],
    ['/sdk/'],
    ['/sdk/v9.9.9/widget.umd.min.js'],
    ['/sdk/1.0.0/widget.umd.min.js'],
    ['/sdk/v1.0/widget.umd.min.js'],
    ['/sdk/../package.json'],
    ['/sdk/v1.0.0/../../package.json'],
    ['/sdk/v1.0.0/..%2f..%2fpackage.json'],
    ['/sdk/v1.0.0/%2e%2e/%2e%2e/package.json'],
    ['/sdk/v1.0.0/..%5c..%5cpackage.json'],
    ['/sdk/v1.0.0/%252e%252e%252fpackage.json'],
    ['/sdk//etc/passwd'],
    ['/sdk/%2fetc%2fpasswd'],
    ['/sdk/__proto__'],
    ['/sdk/constructor'],
  ])('%s', async (url) => {
    const answer = await get(url)
    expect(answer.statusCode).toBe(404)
    expect(v.parse(Envelope, answer.json()).error?.code).toBe('not_found')
  })

  it.each([
    [
      '/sdk/v9.9.9/widget.umd.min.js',
      'There are: v2.0.0-beta.1, v1.1.0, v1.0.0. A page loads /sdk/latest/widget.umd.min.js,',
    ],
    ['/sdk/1.0.0/widget.umd.min.js', 'There is no such SDK release here.'],
    ['/sdk/widget.umd.min.js', 'There is no such SDK release here.'],
    ['/sdk/v1.0.0/widget.js', 'SDK release v1.0.0 has no such file. Its scripts: widget.umd.min.js.'],
    ['/sdk/latest/svc.js', 'SDK release v1.1.0 has no such file. Its scripts: widget.umd.min.js.'],
  ])('%s, and says what there is', async (url, words) => {
    const answer = await get(url)
    expect(v.parse(Envelope, answer.json()).error?.message).toContain(words)
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' })
  })

  it('a path that is no UTF-8 is refused', async () =>
    expect((await get('/sdk/v1.0.0/%ff')).statusCode).toBe(400))

  it('nothing can be put there', async () => {
    const answer = await app.inject({ method: 'PUT', url: WIDGET })
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
  })
})

it('releases.json lists every release, newest first, with hashes and workflow versions', async () => {
  const integrity = (index: number) => releases[index]?.files.get('widget.umd.min.js')?.integrity
  const entry = (version: string, index: number, more: object) => ({
    version,
    is_stable: true,
    files: { 'widget.umd.min.js': { bytes: 10, integrity: integrity(index) } },
    ...more,
  })
  expect((await get('/sdk/releases.json')).json()).toEqual({
    latest: '1.1.0',
    releases: [
      entry('2.0.0-beta.1', 0, { is_stable: false, workflow_versions: [1, 2] }),
      entry('1.1.0', 1, { workflow_versions: [1, 2] }),
      entry('1.0.0', 2, { workflow_versions: [1] }),
    ],
  })
})

it.each([
  ['that was sent, at debug', WIDGET, 20],
  ['that is not there, at info', '/sdk/v9.0.0/widget.umd.min.js', 30],
])('the log tells of a file %s', async (_, url, level) => {
  const { log, logged } = capturedLog()
  const other = createApp(log)
  addFileRoutes(other, releases)
  await other.inject(url)
  expect(logged()).toContain(`{"level":${String(level)},`)
  await other.close()
})
