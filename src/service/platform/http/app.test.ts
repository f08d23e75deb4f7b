import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { capturedLog } from '../../testing/captured-log.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { oneTimeTokenOf } from '../secrets/one-time-token.ts'
import { createApp } from './app.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())

const post = (payload: string | Buffer, headers: Record<string, string> = {}) =>
  service.call({
    method: 'POST',
    url: '/v1/charges',
    headers: {
      'x-user-secret-key': service.merchant.secretKey,
      'content-type': 'application/json',
      ...headers,
    },
    payload,
  })

describe('every answer is in the envelope', () => {
  it.each([
    ['broken JSON', '{"amount":', 400, 'validation_error'],
    ['no JSON object', '[]', 400, 'validation_error'],
    ['null', 'null', 400, 'validation_error'],
    ['nothing', '', 400, 'validation_error'],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22]), 400, 'validation_error'],
    ['deep nesting', '['.repeat(20_000), 400, 'validation_error'],
    [
      'well-formed deep nesting',
      `{"a":${'['.repeat(9000)}"]\\""${']'.repeat(9000)}}`,
      400,
      'validation_error',
    ],
    ['a body over 64 KiB', JSON.stringify({ amount: '1'.repeat(70_000) }), 413, 'body_too_large'],
  ])('%s', async (_name, payload, status, code) => {
    expect(await post(payload)).toMatchObject({
      status,
      body: { status, error: { code }, resource: { data: null } },
    })
  })

  it.each([
    '{"amount":"1.00","__proto__":{"x":1}}',
    '{"a":[{"\\u005f_proto__":1}]}',
    '{"a":{"constructor":{"prototype":{}}}}',
  ])('a body that would change a prototype is not read: %s', async (payload) => {
    const { status, body } = await post(payload)
    expect(status).toBe(400)
    expect(body.error?.message).toContain('a name that no object may have')
  })

  it.each([
    ['/v1/charges/%zz', 400],
    [`/v1/charges/${'a'.repeat(200)}`, 400],
  ])('the address %s: %i', async (url, status) => {
    const answer = await service.call({ url, headers: { 'x-user-secret-key': service.merchant.secretKey } })
    expect(answer).toMatchObject({ status, body: { error: { code: 'validation_error' } } })
    expect(answer.headers['x-request-id']).toBeDefined()
  })

  it('another media type: 415', async () => {
    expect(await post('amount=1', { 'content-type': 'application/x-www-form-urlencoded' })).toMatchObject({
      status: 415,
      body: { error: { code: 'unsupported_media_type' } },
    })
  })

  it('an address that is not there: 404', async () => {
    expect(await service.call({ url: '/v1/nothing' })).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found' } },
    })
  })

  it.each([
    ['PUT', '/v1/charges', 'GET, HEAD, POST'],
    ['GET', '/v1/charges/6b01799184f819f4cecbe1a7/capture', 'DELETE, POST'],
    ['POST', '/health', 'GET, HEAD'],
    ['POST', '/health/', 'GET, HEAD'],
  ] as const)('%s %s: 405 with Allow', async (method, url, allow) => {
    expect(await service.call({ method, url })).toMatchObject({ status: 405, headers: { allow } })
  })

  it.each([[''], ['sk_wrong'], ['x'.repeat(5000)]])('the secret key %j: 401', async (key) => {
    expect(await post('{}', { 'x-user-secret-key': key })).toMatchObject({
      status: 401,
      body: { error: { code: 'unauthorized' } },
    })
  })

  it('a public key is no secret key', async () => {
    expect((await post('{}', { 'x-user-secret-key': service.merchant.publicKey })).status).toBe(401)
  })
})

describe('x-request-id', () => {
  it('is echoed, and stands in the log line', async () => {
    const answer = await post('{}', { 'x-request-id': 'order-7.try-1' })
    expect(answer.headers['x-request-id']).toBe('order-7.try-1')
    expect(service.logged()).toContain('"request_id":"order-7.try-1"')
  })

  it.each([
    ['has spaces'],
    ['5111111111111118'],
    ['4012-0000-3333-0026'],
    ['order-7:4012.0000.3333.0026'],
    ['card4012000033330026'],
    [oneTimeTokenOf(Buffer.alloc(16, 0x5a))],
    [oneTimeTokenOf(Buffer.alloc(16, 0x5a)).replaceAll('-', '')],
    [Buffer.from(oneTimeTokenOf(Buffer.alloc(16, 0x5a))).toString('base64url')],
    ['sk_sandbox_-Nq4tKX0m_2Rv7yQhLw3Zb8cEj5uPdTs'],
    ['x'.repeat(65)],
    ['"}{'],
  ])('%j is replaced', async (id) => {
    const answer = await post('{}', { 'x-request-id': id })
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(service.logged()).not.toContain(JSON.stringify(id))
  })
})

describe('GET /health', () => {
  it('says that the database is up', async () => {
    expect(await service.call({ url: '/health' })).toMatchObject({
      status: 200,
      body: { resource: { type: 'health', data: { status: 'up', dependencies: { database: 'up' } } } },
    })
  })

  it('is 500 when the database is gone; the rest is 503, and worth another try', async () => {
    const other = await createTestService()
    await other.loseDatabase()
    expect(await other.call({ url: '/health' })).toMatchObject({
      status: 500,
      body: { resource: { data: { status: 'down', dependencies: { database: 'down' } } } },
    })
    const answer = await other.call({ url: '/v1/charges', headers: { 'x-user-secret-key': 'sk' } })
    expect(answer).toMatchObject({
      status: 503,
      headers: { 'retry-after': '2' },
      body: { error: { code: 'service_unavailable' } },
    })
    expect(answer.body.error?.message).not.toMatch(/pool|pg|sql/i)
  })
})

it('a route with a JSON schema, which nothing compiles, keeps the service from starting', async () => {
  const app = createApp(capturedLog().log)
  app.get('/', { schema: { querystring: { type: 'object' } } }, () => '')
  await expect(app.ready()).rejects.toThrow('nothing compiles')
})

it('a server that cannot accept a connection goes on, and the log says so', async () => {
  const { log, logged } = capturedLog()
  const app = createApp(log)
  await app.listen({ port: 0, host: '127.0.0.1' })
  app.server.emit('error', Object.assign(new Error('accept ENOBUFS'), { code: 'ENOBUFS' }))
  expect(logged()).toContain('a connection could not be accepted')
  await app.close()
})
