import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { JWK } from 'jose'
import { afterEach, describe, expect, it } from 'vitest'
import { SCOPES } from '../../../contract/api/scope.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { createHttpClient } from '../../platform/outbound/http-client.ts'
import { issuerHttpSettings, createKeySet, readIssuerKeys } from './issuer-keys.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

interface Issuer {
  url: string
  keys: JWK[]
  asked: string[]
  answers: Record<string, unknown>
}

/** An issuer on this machine: what `answers` holds by path, and its keys at `/keys`. */
async function startIssuer(path: string): Promise<Issuer> {
  const issuer: Issuer = { url: '', keys: [], asked: [], answers: {} }
  const server: Server = createServer(({ url = '' }, response) => {
    issuer.asked.push(url)
    const answer = url === '/keys' ? { keys: issuer.keys } : issuer.answers[url]
    response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => new Promise((resolve) => server.close(resolve)))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  issuer.url = `http://127.0.0.1:${String(port)}${path}`
  return issuer
}
const metadata = ({ url }: Issuer) => ({ issuer: url, jwks_uri: `${new URL(url).origin}/keys` })

async function tokenOf({ url, keys }: Issuer, alg: string, kid: string) {
  const { publicKey, privateKey } = await generateKeyPair(alg)
  keys.push({ ...(await exportJWK(publicKey)), kid, use: 'sig' })
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT({ client_id: 'acme-erp', scope: 'payments:read openid' })
    .setProtectedHeader({ alg, kid, typ: 'at+jwt' })
    .setIssuer(url)
    .setAudience(['http://localhost:8080', 'https://other.example'])
    .setSubject('acme-erp')
    .setIssuedAt(now)
    .setExpirationTime(now + 3600)
    .sign(privateKey)
}

async function serviceFor(issuer: Issuer): Promise<TestService> {
  const service = await createTestService({ settings: { SVC_OAUTH_ISSUER: issuer.url } })
  closing.push(() => service.close())
  const merchantId = service.merchant.merchant.id
  const client = { id: 'acme-erp', merchantId, issuer: issuer.url, scopes: ['payments:read'] as const }
  expect(await service.oauth.clients.register(client)).toBe(true)
  return service
}

describe('tokens of another issuer', () => {
  it.each(['RS256', 'PS256', 'ES256', 'EdDSA'])(
    'signed by %s are taken for a client that is registered',
    async (alg) => {
      const issuer = await startIssuer('/acme')
      issuer.answers['/.well-known/oauth-authorization-server/acme'] = metadata(issuer)
      const service = await serviceFor(issuer)
      expect(await service.oauth.verifyAccessToken(await tokenOf(issuer, alg, 'k1'))).toMatchObject({
        client: { clientId: 'acme-erp', merchantId: service.merchant.merchant.id },
        scopes: ['payments:read'],
      })
      expect((await service.raw({ method: 'POST', url: '/oauth/token' })).statusCode).toBe(404)
    },
  )

  it('are checked by the keys of OpenID Connect Discovery too', async () => {
    const issuer = await startIssuer('/acme/')
    issuer.answers['/acme/.well-known/openid-configuration'] = metadata(issuer)
    const service = await serviceFor(issuer)
    expect(await service.oauth.verifyAccessToken(await tokenOf(issuer, 'ES256', 'k1'))).toHaveProperty(
      'client',
    )
  })

  it('get 503 if the metadata is of another issuer', async () => {
    const issuer = await startIssuer('')
    issuer.answers['/.well-known/oauth-authorization-server'] = {
      ...metadata(issuer),
      issuer: 'https://id.example',
    }
    const service = await serviceFor(issuer)
    await expect(service.oauth.verifyAccessToken(await tokenOf(issuer, 'ES256', 'k1'))).rejects.toMatchObject(
      {
        code: 'service_unavailable',
      },
    )
  })

  it('of a client that is not registered for this issuer are none', async () => {
    const issuer = await startIssuer('')
    issuer.answers['/.well-known/oauth-authorization-server'] = metadata(issuer)
    const service = await createTestService({ settings: { SVC_OAUTH_ISSUER: issuer.url } })
    closing.push(() => service.close())
    const token = await tokenOf(issuer, 'ES256', 'k1')
    expect(await service.oauth.verifyAccessToken(token)).toBe('invalid')
    const merchantId = service.merchant.merchant.id
    const another = { id: 'acme-erp', merchantId, issuer: 'https://another.example', scopes: SCOPES }
    await service.oauth.clients.register(another)
    expect(await service.oauth.verifyAccessToken(token)).toBe('invalid')
  })
})

describe('the keys of an issuer', () => {
  it('are asked for at public addresses only, outside sandbox', async () => {
    const issuer = await startIssuer('')
    const warned: unknown[] = []
    const log = { warn: (facts: object) => warned.push(facts) }
    await expect(
      readIssuerKeys({
        issuer: issuer.url,
        isSandbox: false,
        send: createHttpClient(issuerHttpSettings(false, null)),
        log,
      }),
    ).rejects.toMatchObject({
      code: 'service_unavailable',
    })
    expect(issuer.asked).toEqual([])
    expect(JSON.stringify(warned)).toContain(issuer.url)
  })

  it('leave out what is no public key that signs', async () => {
    const issuer = await startIssuer('')
    issuer.answers['/.well-known/oauth-authorization-server'] = metadata(issuer)
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
    const right = { ...(await exportJWK(publicKey)), kid: 'k1' }
    issuer.keys.push(
      right,
      { ...(await exportJWK(privateKey)), kid: 'k2' },
      { kty: 'oct', k: 'AAAA' },
      { kty: 'XX' },
    )
    const keys = await readIssuerKeys({
      issuer: issuer.url,
      isSandbox: true,
      send: createHttpClient(issuerHttpSettings(true, null)),
      log: { warn: () => undefined },
    })
    expect(keys).toEqual({ keys: [right] })
  })

  it('are read again for an unknown key, at a pace of their own', async () => {
    let elapsed = 0
    let reads = 0
    let isUp = true
    const { publicKey } = await generateKeyPair('ES256')
    const jwk = { ...(await exportJWK(publicKey)), kid: 'k1' }
    const { keyOf } = createKeySet({
      read: () => {
        reads += 1
        return isUp ? Promise.resolve({ keys: [jwk] }) : Promise.reject(new Error('down'))
      },
      clock: { elapsedMs: () => elapsed },
      maxAgeMs: 1000,
      coolDownMs: 100,
      maxStaleAgeMs: 5000,
    })
    const find = (kid: string) => keyOf({ alg: 'ES256', kid }, { payload: '', signature: '' })
    await find('k1')
    for (let times = 0; times < 50; times += 1) await expect(find('k9')).rejects.toThrow()
    expect(reads).toBe(1)
    elapsed += 100
    await Promise.allSettled(Array.from({ length: 50 }, async () => find('k9')))
    expect(reads).toBe(2)
    isUp = false
    elapsed += 2000
    await find('k1')
    expect(reads).toBe(3)
    elapsed += 5000
    await expect(find('k1')).rejects.toThrow('down')
    await expect(find('k1')).rejects.toMatchObject({ code: 'service_unavailable' })
    expect(reads).toBe(4)
  })
})
