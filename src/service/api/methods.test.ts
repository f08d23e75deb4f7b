import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { InjectOptions } from 'fastify'
import type { Route } from './openapi/routes.ts'
import { askedHolder } from '../testing/asked-holder.ts'
import { checkoutCalls } from '../testing/checkout-calls.ts'
import { createTestService } from '../testing/test-service.ts'
import type { TestService } from '../testing/test-service.ts'

let service: TestService
let asked: { id: string; token: string }
beforeAll(async () => {
  service = await createTestService()
  asked = await askedHolder(service)
})
afterAll(() => service.close())

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
const addressOf = (path: string) =>
  path
    .replace('{release}', 'latest')
    .replace(/^\/sdk\/\*$/, '/sdk/latest/widget.umd.min.js')
    .replace('authentications/{id}', `authentications/${asked.id}`)
    .replace(/\{\w+\}/g, 'a'.repeat(24))
    .replace('languages/*', 'languages/fr.json')
    .replace('*', 'widget.umd.min.js')

/** Every address of the service, with the methods that it takes. */
function addresses(): Map<string, Route[]> {
  const all = new Map<string, Route[]>()
  for (const route of service.routes) all.set(route.path, [...(all.get(route.path) ?? []), route])
  return all
}

/** What the frames of the service call, from the widget's origin. */
const isForFrames = (path: string) =>
  [
    '/v1/payment_sources/tokens',
    '/v1/checkouts/session',
    '/v1/checkouts/session/payments',
    '/v1/authentications/{id}',
  ].includes(path)

/** Documents that a page's SDK reads the policy of. */
const isForReaders = (path: string) =>
  ['frame', 'checkout', 'authentication'].some((name) => path === `/sdk/{release}/${name}`)

/** Methods that are taken at an address: `/v1/checkouts/{id}` takes `/v1/checkouts/intent` too. */
const methodsAt = (address: string) =>
  service.routes
    .filter(({ path }) =>
      new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+').replace('*', '.+')}$`).test(address),
    )
    .map(({ method }) => method)
const keys = () => ({
  'x-user-secret-key': service.merchant.secretKey,
  'x-user-public-key': service.merchant.publicKey,
})

/** The pages of the documentation have an origin that is none, and so ask as another one does. */
const PUBLIC_FILES = ['/openapi.json', '/docs/docs.js', '/docs/search.json']

/** Its bodies may be larger, and are tested with its domain. */
const TAKES_FILES = 'addDisputeDocument'

describe('every address of the service', () => {
  it('answers the methods that it does not take with 405, and names those it takes', async () => {
    for (const path of addresses().keys()) {
      const taken = methodsAt(addressOf(path))
      for (const method of METHODS) {
        if (taken.includes(method) || (method === 'OPTIONS' && isForFrames(path))) continue
        const answer = await service.call({ method, url: addressOf(path) })
        expect([method, path, answer.status, answer.body.error?.code]).toEqual([
          method,
          path,
          405,
          'method_not_allowed',
        ])
        const allow = String(answer.headers.allow).split(', ')
        expect(allow).toEqual(expect.arrayContaining(taken))
        expect(allow).not.toContain(method)
        expect(allow.includes('HEAD')).toBe(taken.includes('GET'))
      }
    }
  })

  it('answers HEAD as GET, without the body', async () => {
    for (const [path, routes] of addresses()) {
      if (!routes.some(({ method }) => method === 'GET')) continue
      const options = { url: addressOf(path), headers: keys() }
      const [get, head] = [await service.raw(options), await service.raw({ ...options, method: 'HEAD' })]
      expect([path, head.statusCode, head.body]).toEqual([path, get.statusCode, ''])
      expect(head.headers['content-type']).toBe(get.headers['content-type'])
    }
  })

  it.each([
    ['another media type', 'text/plain', '{}', 415, 'unsupported_media_type'],
    ['a body over 64 KiB', 'application/json', JSON.stringify('x'.repeat(70_000)), 413, 'body_too_large'],
    ['a body that is no JSON', 'application/json', '{', 400, 'validation_error'],
  ])('answers %s', async (_name, type, payload, status, code) => {
    const bearers = new Map([
      ['oauth', await service.accessToken()],
      ['checkout', (await checkoutCalls(service).make()).token],
      ['authentication', asked.token],
    ])
    const takingJson = service.routes.filter(
      ({ method, operation }) =>
        method !== 'GET' &&
        operation !== undefined &&
        operation.id !== TAKES_FILES &&
        operation.errorMedia === undefined,
    )
    for (const { method, path, operation } of takingJson) {
      const bearer = bearers.get(operation?.key ?? '')
      const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }
      const headers = { ...keys(), ...authorization, 'content-type': type }
      const options = { url: addressOf(path), headers, payload }
      const answer = await service.call(withMethod(options, method))
      expect([method, path, answer.status, answer.body.error?.code]).toEqual([method, path, status, code])
    }
  })

  it.each([
    ['is too long', 'application/json', JSON.stringify('x'.repeat(70_000))],
    ['is of another media type', 'text/plain', '{}'],
    ['is no JSON', 'application/json', '{'],
  ])(
    'refuses a request without its key before its body, which %s, is looked at',
    async (_name, type, payload) => {
      const keyed = service.routes.filter(
        ({ method, operation }) => method !== 'GET' && operation !== undefined && operation.key !== 'none',
      )
      expect(keyed.length).toBeGreaterThan(20)
      for (const { method, path } of keyed) {
        const options = { url: addressOf(path), headers: { 'content-type': type }, payload }
        const answer = await service.call(withMethod(options, method))
        expect([method, path, answer.status]).toEqual([method, path, 401])
      }
    },
  )

  it('lets pages of other origins tokenise and read public files, and nothing else', async () => {
    const headers = { origin: 'https://evil.example', ...keys() }
    for (const { method, path } of service.routes) {
      const answer = await service.raw(withMethod({ url: addressOf(path), headers }, method))
      const allowed = isForFrames(path)
        ? 'http://localhost:8080'
        : PUBLIC_FILES.includes(path) || /^\/sdk\/.*\*$/.test(path) || isForReaders(path)
          ? '*'
          : undefined
      expect([path, answer.headers['access-control-allow-origin']]).toEqual([path, allowed])
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    }
  })
})

describe('the pre-flight of the tokenise request', () => {
  it('allows the frame its one request', async () => {
    const answer = await service.raw({ method: 'OPTIONS', url: '/v1/payment_sources/tokens' })
    expect(answer).toMatchObject({
      statusCode: 204,
      headers: {
        'access-control-allow-origin': 'http://localhost:8080',
        'access-control-allow-methods': 'POST',
      },
    })
    expect(answer.headers['access-control-allow-headers']).toContain('x-user-public-key')
  })
})

function withMethod(options: InjectOptions, method: string): InjectOptions {
  const known = METHODS.find((one) => one === method)
  if (known === undefined) throw new Error(`${method} is not looked at here`)
  return { ...options, method: known }
}
