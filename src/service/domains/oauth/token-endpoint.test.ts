import { decodeJwt, decodeProtectedHeader } from 'jose'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCOPES } from '../../../contract/api/scope.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import type { MadeClient } from './clients.ts'

let service: TestService
let client: MadeClient
beforeAll(async () => {
  service = await createTestService()
  const made = await service.oauth.clients.make(service.merchant.merchant.id, SCOPES)
  if (made === null) throw new Error('there is no client')
  client = made
})
afterAll(() => service.close())

const FORM = 'application/x-www-form-urlencoded'
const GRANT = 'grant_type=client_credentials'
const Given = v.object({ access_token: v.string(), scope: v.string() })

async function ask(payload: string, headers: Record<string, string> = {}, url = '/oauth/token') {
  const answer = await service.raw({
    method: 'POST',
    url,
    headers: { 'content-type': FORM, ...headers },
    payload,
  })
  const body: unknown = JSON.parse(answer.body)
  return { status: answer.statusCode, headers: answer.headers, body }
}
const basic = (id = client.clientId, secret = client.clientSecret) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
})
const inBody = () => `client_id=${client.clientId}&client_secret=${client.clientSecret}`

describe('a token', () => {
  it('is given by HTTP Basic or by the body, and kept by no cache', async () => {
    for (const answer of [await ask(GRANT, basic()), await ask(`${GRANT}&${inBody()}`)])
      expect(answer).toMatchObject({
        status: 200,
        headers: { 'cache-control': 'no-store' },
        body: { token_type: 'Bearer', expires_in: 900, scope: SCOPES.join(' ') },
      })
  })

  it('says what RFC 9068 asks of it', async () => {
    const { body } = await ask(`${GRANT}&scope=payments:read+agreements:read`, basic())
    const { access_token: token, scope } = v.parse(Given, body)
    expect(scope).toBe('agreements:read payments:read')
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'ES256', typ: 'at+jwt' })
    const { iat = 0, exp, ...claims } = decodeJwt(token)
    expect(exp).toBe(iat + 900)
    expect(claims.jti).toMatch(/^[0-9a-f]{24}$/)
    expect(claims).toMatchObject({
      iss: 'http://localhost:8080',
      aud: 'http://localhost:8080',
      sub: client.clientId,
      client_id: client.clientId,
      scope,
    })
  })

  it('is signed by a key that the issuer publishes, without its private part', async () => {
    const { body } = await ask(GRANT, basic())
    const { kid } = decodeProtectedHeader(v.parse(Given, body).access_token)
    const answer = await service.raw({ url: '/oauth/jwks' })
    const { keys } = v.parse(v.object({ keys: v.array(v.looseObject({ kid: v.string() })) }), answer.json())
    expect(keys.map((key) => key.kid)).toContain(kid)
    expect(keys.every((key) => !('d' in key))).toBe(true)
  })
})

describe('a request that is wrong', () => {
  it.each([
    ['no grant type', '', 400, 'invalid_request'],
    ['another grant', 'grant_type=password', 400, 'unsupported_grant_type'],
    ['a parameter twice', `${GRANT}&${GRANT}`, 400, 'invalid_request'],
    ['an unknown scope', `${GRANT}&scope=admin`, 400, 'invalid_scope'],
    ['a scope and an unknown one', `${GRANT}&scope=payments:read+openid`, 400, 'invalid_scope'],
    ['two spaces', `${GRANT}&scope=payments:read++agreements:read`, 400, 'invalid_scope'],
    ['the secret in the body too', `${GRANT}&client_secret=x`, 400, 'invalid_request'],
    ['another client in the body', `${GRANT}&client_id=other`, 400, 'invalid_request'],
  ])('%s', async (_name, payload, status, error) => {
    expect(await ask(payload, basic())).toMatchObject({
      status,
      headers: { 'cache-control': 'no-store', pragma: 'no-cache' },
      body: { error },
    })
  })

  it.each([
    ['no client', () => ({})],
    ['a wrong secret', () => basic(client.clientId, `${client.clientSecret}x`)],
    ['an unknown client', () => basic('client_unknown')],
    ['a NUL', () => basic('client\0')],
    ['another scheme', () => ({ authorization: `Bearer ${client.clientSecret}` })],
    ['no base64', () => ({ authorization: 'Basic !!!' })],
    ['a broken escape', () => ({ authorization: `Basic ${Buffer.from('a%:b%').toString('base64')}` })],
  ])('%s is invalid_client', async (_name, headers) => {
    expect(await ask(GRANT, headers())).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Basic realm="oauth", charset="UTF-8"' },
      body: { error: 'invalid_client' },
    })
  })

  it('parameters in the address are refused', async () => {
    expect(await ask(GRANT, basic(), `/oauth/token?${inBody()}`)).toMatchObject({ status: 400 })
  })

  it.each(['application/json', 'text/plain'])(
    'a body of %s is refused with words on what to send',
    async (type) => {
      const { status, body } = await ask('{}', { ...basic(), 'content-type': type })
      expect([status, JSON.stringify(body)]).toEqual([415, expect.stringContaining('Send a form with')])
    },
  )

  it('no other route takes a form', async () => {
    const headers = { 'x-user-secret-key': service.merchant.secretKey }
    expect(await ask('url=https://a.example', headers, '/v1/webhooks')).toMatchObject({ status: 415 })
  })

  it('wrong secrets of one address are limited as wrong keys are', async () => {
    const limited = await createTestService({ settings: { SVC_RATE_LIMIT_WRONG_KEYS: '3' } })
    const statuses: number[] = []
    for (let times = 0; times < 5; times += 1) {
      const { statusCode } = await limited.raw({
        method: 'POST',
        url: '/oauth/token',
        headers: { 'content-type': FORM, ...basic('client_guessed', 'guess') },
        payload: GRANT,
      })
      statuses.push(statusCode)
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429])
    await limited.close()
  })
})

it('the issuer says what it can do', async () => {
  const { body } = await service.raw({ url: '/.well-known/oauth-authorization-server' })
  expect(JSON.parse(body)).toMatchObject({
    issuer: 'http://localhost:8080',
    token_endpoint: 'http://localhost:8080/oauth/token',
    jwks_uri: 'http://localhost:8080/oauth/jwks',
    grant_types_supported: ['client_credentials'],
    scopes_supported: SCOPES,
  })
})

it('a rolled secret works for the overlap; a revoked client has none', async () => {
  const { clients } = service.oauth
  const made = await clients.make(service.merchant.merchant.id, ['payments:read'])
  const { clientId = '', clientSecret: old = '' } = made ?? {}
  const { clientSecret: next = '' } = (await clients.roll(clientId, 3600)) ?? {}
  expect((await ask(GRANT, basic(clientId, old))).status).toBe(200)
  expect((await ask(GRANT, basic(clientId, next))).status).toBe(200)
  const { clientSecret: last = '' } = (await clients.roll(clientId, 0)) ?? {}
  expect((await ask(GRANT, basic(clientId, old))).status).toBe(401)
  expect((await ask(GRANT, basic(clientId, next))).status).toBe(401)
  expect((await ask(GRANT, basic(clientId, last))).status).toBe(200)
  await clients.revoke(clientId)
  expect((await ask(GRANT, basic(clientId, last))).status).toBe(401)
  expect(await clients.roll(clientId, 0)).toBeNull()
})
