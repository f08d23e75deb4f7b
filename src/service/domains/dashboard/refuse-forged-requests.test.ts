import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { createTestSessions, DASHBOARD, ownPage } from './testing/signed-in.ts'

const sessions = createTestSessions()
let service: TestService
let cookie: string
beforeAll(async () => {
  service = await createTestService({ findSession: sessions.findSession })
  cookie = sessions.open({ merchantId: service.merchant.merchant.id })
})
afterAll(() => service.close())

const JSON_TYPE = { 'content-type': 'application/json' }
const url = 'https://shop.example/hook'

/** Makes a webhook, as an attacker's page would. */
const make = async (headers: Record<string, string>, payload: string = JSON.stringify({ url })) => {
  const { app } = service.dashboard
  const answer = await app.inject({
    method: 'POST',
    url: '/v1/webhooks',
    headers: { cookie, ...headers },
    payload,
  })
  return answer.statusCode
}
const read = async (headers: Record<string, string>, address = '/v1/webhooks') =>
  (await service.dashboard.app.inject({ url: address, headers: { cookie, ...headers } })).statusCode

describe('a request that changes something', () => {
  it.each([
    ['without Origin', {}],
    ['of another origin', { origin: 'https://evil.example' }],
    ['of an origin that is hidden', { origin: 'null' }],
    ['of the demo shop, which is of the same site', { origin: 'http://localhost:8090' }],
    ['of the REST API', { origin: 'http://localhost:8080' }],
    ['of the same host by https', { origin: 'https://localhost:8070' }],
    ['of an origin that begins alike', { origin: `${DASHBOARD}.evil.example` }],
    ['that the browser knows to be cross-site', { ...ownPage, 'sec-fetch-site': 'cross-site' }],
    ['that the browser knows to be of the same site only', { ...ownPage, 'sec-fetch-site': 'same-site' }],
    ['that the browser knows to come from no page', { ...ownPage, 'sec-fetch-site': 'none' }],
  ])('%s is refused, and nothing is done', async (_name, headers) => {
    expect(await make({ ...JSON_TYPE, ...headers })).toBe(403)
    const { body } = await service.call({
      url: '/v1/webhooks',
      headers: { 'x-user-secret-key': service.merchant.secretKey },
    })
    expect(body.resource.data).toEqual([])
  })

  it.each([
    ['a form', 'application/x-www-form-urlencoded', 'url=x'],
    ['a form with files', 'multipart/form-data; boundary=x', '--x--'],
    ['plain text that holds JSON', 'text/plain', JSON.stringify({ url })],
    ['a type that begins alike', 'application/json-patch', JSON.stringify({ url })],
  ])('as %s, which any page can send, is refused', async (_name, type, payload) => {
    expect(await make({ ...ownPage, 'content-type': type }, payload)).toBe(415)
  })

  it('without a type is refused, even without a body', async () => {
    expect(await make(ownPage, '')).toBe(415)
  })

  it('of a page of the dashboard is accepted', async () => {
    expect(await make({ ...JSON_TYPE, ...ownPage })).toBe(201)
    expect(await make({ 'content-type': 'application/json; charset=utf-8', origin: DASHBOARD })).toBe(201)
  })
})

describe('a request that reads', () => {
  it.each([
    ['of the dashboard', { 'sec-fetch-site': 'same-origin' }, 200],
    ['of a program', {}, 200],
    ['typed by a person', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }, 200],
    ['by a link on another page', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, 200],
    ['by a script of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, 403],
    ['by a script of the demo shop', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }, 403],
  ])('%s', async (_name, headers, status) => {
    expect(await read(headers)).toBe(status)
  })

  it('has no access-control header, so that no other origin reads the answer', async () => {
    const { headers } = await service.dashboard.app.inject({
      url: '/v1/webhooks',
      headers: { cookie, origin: 'https://evil.example' },
    })
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  it('is not permitted by an answer to a preflight request', async () => {
    const { statusCode, headers } = await service.dashboard.app.inject({
      method: 'OPTIONS',
      url: '/v1/webhooks',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'DELETE' },
    })
    expect(statusCode).toBe(405)
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })
})
