import { gzipSync } from 'node:zlib'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'

const NOTHING = '0'.repeat(24)
const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const
const TYPES = [
  'application/x-www-form-urlencoded',
  'text/plain',
  'application/json',
  'application/octet-stream',
  'multipart/form-data; boundary=x',
  'application/merge-patch+json',
  'application/json; charset=utf-16',
  'not a type',
  '',
]

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())

const keys = () => ({ 'x-user-secret-key': service.merchant.secretKey })
const capture = (headers: Record<string, string>, payload?: string | Buffer) =>
  service.call({
    method: 'POST',
    url: `/v1/charges/${NOTHING}/capture`,
    headers: { ...keys(), ...headers },
    ...(payload !== undefined && { payload }),
  })

describe('an empty body is no body', () => {
  it.each(TYPES)('whatever its type: %j', async (type) => {
    const answer = await capture({ 'content-type': type, 'content-length': '0' }, '')
    expect([answer.status, answer.body.error?.code]).toEqual([404, 'not_found'])
  })

  it('on every route: the same answer as without one', async () => {
    for (const { method, path } of service.routes) {
      if (!METHODS.some((one) => one === method)) continue
      const url = path.replace(/\{\w+\}/g, NOTHING)
      const ask = async (headers: Record<string, string>) => {
        const { statusCode, body } = await service.raw({
          method: METHODS.find((one) => one === method) ?? 'POST',
          url,
          headers: { ...keys(), ...headers },
        })
        return [method, path, statusCode, body]
      }
      const empty = await ask({ 'content-type': 'text/plain', 'content-length': '0' })
      expect(empty).toEqual(await ask({}))
      expect(empty[2]).not.toBe(415)
    }
  })

  it.each(['text/plain', 'application/json', 'application/x-www-form-urlencoded'])(
    'also one that is sent in chunks: %s',
    async (type) => {
      const answer = await overTheWire(
        `POST /v1/charges/${NOTHING}/capture HTTP/1.1\r\nhost: x\r\nx-user-secret-key: ${service.merchant.secretKey}\r\n` +
          `content-type: ${type}\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n0\r\n\r\n`,
      )
      expect(answer).toContain('HTTP/1.1 404')
    },
  )

  it('also one that is announced: Expect: 100-continue', async () => {
    const answer = await overTheWire(
      `POST /v1/charges/${NOTHING}/capture HTTP/1.1\r\nhost: x\r\nx-user-secret-key: ${service.merchant.secretKey}\r\n` +
        'content-type: text/plain\r\ncontent-length: 0\r\nexpect: 100-continue\r\nconnection: close\r\n\r\n',
    )
    expect(answer).toContain('HTTP/1.1 404')
  })

  it('at the token endpoint is a form without fields', async () => {
    const { statusCode, body } = await service.raw({
      method: 'POST',
      url: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '0' },
    })
    expect([statusCode, JSON.parse(body)]).toMatchObject([401, { error: 'invalid_client' }])
  })
})

describe('a body that is compressed', () => {
  it.each(['gzip', 'br', 'deflate', 'zstd', 'x-gzip', 'GZIP', 'identity, gzip', 'gzip, br'])(
    'is refused with words that say what to send: %s',
    async (encoding) => {
      const { status, body, headers } = await capture(
        { 'content-type': 'application/json', 'content-encoding': encoding },
        gzipSync('{}'),
      )
      expect([status, body.error?.code, headers['accept-encoding']]).toEqual([
        415,
        'unsupported_media_type',
        'identity',
      ])
      expect(body.error?.message).toContain('Content-Encoding')
    },
  )

  it.each(['identity', 'Identity', '', 'identity, identity'])('is not one of %j', async (encoding) => {
    const { status } = await capture(
      { 'content-type': 'application/json', 'content-encoding': encoding },
      '{"amount":"1.00"}',
    )
    expect(status).toBe(404)
  })

  it('in another type than JSON names the type alone', async () => {
    const { status, headers } = await capture({ 'content-type': 'text/plain' }, 'amount=1')
    expect([status, headers['accept-encoding']]).toEqual([415, undefined])
  })
})

describe('a body in another type or text encoding', () => {
  it.each([
    ['text/plain', '{"amount":"1.00"}'],
    ['application/x-www-form-urlencoded', 'amount=1.00'],
    ['application/merge-patch+json', '{"amount":"1.00"}'],
    ['application/vnd.api+json', '{"amount":"1.00"}'],
    ['not a type', '{"amount":"1.00"}'],
  ])('is refused with the type to send: %s', async (type, payload) => {
    const { status, body } = await capture({ 'content-type': type }, payload)
    expect([status, body.error?.message]).toEqual([
      415,
      'Send JSON with the header content-type: application/json.',
    ])
  })

  it.each([
    ['UTF-16', Buffer.from('{"amount":"1.00"}', 'utf16le')],
    ['UTF-16 with a byte order mark', Buffer.from('\uFEFF{"amount":"1.00"}', 'utf16le')],
    ['Latin-1', Buffer.from('{"reference":"Zoë"}', 'latin1')],
  ])('is told that JSON is UTF-8: %s', async (_, payload) => {
    const { status, body } = await capture({ 'content-type': 'application/json; charset=utf-16' }, payload)
    expect([status, body.error?.code]).toEqual([400, 'validation_error'])
    expect(body.error?.message).toContain('UTF-8')
  })

  it.each([
    ['with a byte order mark', Buffer.from('\uFEFF{"amount":"1.00"}', 'utf8'), 'application/json'],
    ['with a charset', Buffer.from('{"amount":"1.00"}'), 'application/json; charset=utf-8'],
    [
      'with another charset, in ASCII',
      Buffer.from('{"amount":"1.00"}'),
      'application/json;charset=ISO-8859-1',
    ],
    ['with a parameter', Buffer.from('{"amount":"1.00"}'), 'Application/JSON; odata=verbose'],
  ])('is read as JSON in UTF-8: %s', async (_, payload, type) => {
    expect((await capture({ 'content-type': type }, payload)).status).toBe(404)
  })
})

describe('a body where none is read', () => {
  it.each([
    ['GET', 'application/json', 400],
    ['GET', 'text/plain', 400],
    ['DELETE', 'application/json', 400],
    ['DELETE', 'text/plain', 415],
  ] as const)('of a %s is refused: %s', async (method, type, expected) => {
    const url = method === 'GET' ? `/v1/charges/${NOTHING}` : `/v1/charges/${NOTHING}/capture`
    const headers = { ...keys(), 'content-type': type }
    const { status, body } = await service.call({ method, url, headers, payload: '{"amount":"1.00"}' })
    const words = [body.error?.message, body.error?.details?.[0]?.message].join(' ')
    expect([status, words]).toEqual([expected, expect.stringContaining('nothing is read from it')])
  })

  it('is ignored on routes that take no key', async () => {
    const headers = { 'content-type': 'text/plain' }
    const { statusCode } = await service.raw({ method: 'GET', url: '/health', headers, payload: 'x' })
    expect(statusCode).toBe(200)
  })
})

/** Sends bytes to the listening service, and reads until it ends the connection. */
async function overTheWire(request: string): Promise<string> {
  if (!service.app.server.listening) await service.app.listen({ port: 0, host: '127.0.0.1' })
  const address = service.app.server.address()
  if (address === null || typeof address === 'string') throw new Error('the service has no port')
  const socket = connect(address.port, '127.0.0.1')
  socket.write(request)
  return text(socket)
}
