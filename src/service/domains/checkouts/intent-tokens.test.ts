import { randomBytes } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { madeIntent } from '../../testing/made-intent.ts'
import { tokenExpired, tokenKeysOf, tokenOf, tokenRefused, verifyToken } from './intent-tokens.ts'

const key = (id: string): Secrets => new Map([[id, randomBytes(32)]])
const [first, second] = [key('k1'), key('k2')]
type Secrets = ReadonlyMap<string, Uint8Array>
const MADE_AT = Date.parse('2026-11-21T10:00:00.500Z')
const intent = madeIntent({
  id: '6b01799184f819f4cecbe1a7',
  workflowVersion: 2,
  createdAt: new Date(MADE_AT),
})

const keysOf = (keys: Secrets, issuer = 'https://pay.example.com') => tokenKeysOf(keys, issuer)
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('the token of an intent', () => {
  it('names the intent and its version, for 16 minutes, and is the same each time', async () => {
    const token = await tokenOf(keysOf(first), intent)
    const { iat = 0, ...claims } = decodeJwt(token)
    expect(claims).toEqual({
      version: 2,
      shape: { description: 0 },
      iss: 'https://pay.example.com',
      aud: 'checkout',
      sub: intent.id,
      exp: iat + 16 * 60,
    })
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT', kid: 'k1' })
    expect(await tokenOf(keysOf(first), intent)).toBe(token)
  })

  it('opens its intent whatever the time is: the age of the intent says whether that is over', async () => {
    const old = { ...intent, createdAt: new Date('2001-01-01T00:00:00Z') }
    expect(await verifyToken(keysOf(first), await tokenOf(keysOf(first), old))).toBe(intent.id)
  })

  it('stays good when the keys are rotated, until its key is taken away', async () => {
    const token = await tokenOf(keysOf(first), intent)
    const rotated = keysOf(new Map([...second, ...first]))
    expect(await verifyToken(rotated, token)).toBe(intent.id)
    expect(decodeProtectedHeader(await tokenOf(rotated, intent)).kid).toBe('k2')
    await expect(verifyToken(keysOf(second), token)).rejects.toMatchObject({ code: 'unauthorized' })
  })

  const signed = async (change: (jwt: SignJWT) => SignJWT, header: { alg: string; kid?: string }) => {
    const jwt = new SignJWT({ version: 1 })
      .setSubject(intent.id)
      .setAudience('checkout')
      .setIssuedAt(MADE_AT / 1000)
    const whole = jwt.setIssuer('https://pay.example.com').setExpirationTime(MADE_AT / 1000 + 960)
    const { current } = keysOf(first)
    return change(whole).setProtectedHeader(header).sign(current.key)
  }
  const good = { alg: 'HS256', kid: 'k1' }

  it('signed the same way elsewhere in these tests is good', async () => {
    expect(await verifyToken(keysOf(first), await signed((jwt) => jwt, good))).toBe(intent.id)
  })

  it.each([
    ['of another installation', () => tokenOf(keysOf(first, 'https://other.example'), intent)],
    ['for something else', () => signed((jwt) => jwt.setAudience('agreements'), good)],
    ['that names no intent', () => signed((jwt) => jwt.setSubject('admin'), good)],
    ['by another algorithm of the same key', () => signed((jwt) => jwt, { alg: 'HS512', kid: 'k1' })],
    ['with a later end', () => signed((jwt) => jwt.setExpirationTime(MADE_AT / 1000 + 3600), good)],
    ['that ended long ago', () => signed((jwt) => jwt.setExpirationTime(MADE_AT / 1000 - 7200), good)],
    ['without a key id', () => signed((jwt) => jwt, { alg: 'HS256' })],
    ['by a key that is not known', () => signed((jwt) => jwt, { alg: 'HS256', kid: 'k9' })],
    ['that is none', () => Promise.resolve('a.b.c')],
  ])('%s is refused', async (_name, make) => {
    await expect(verifyToken(keysOf(first), await make())).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('with its signature, its claims or its algorithm changed is refused', async () => {
    const [header = '', claims = '', signature = ''] = (await tokenOf(keysOf(first), intent)).split('.')
    const other = base64url({ ...decodeJwt(`${header}.${claims}.${signature}`), sub: 'b'.repeat(24) })
    const none = base64url({ alg: 'none', typ: 'JWT', kid: 'k1' })
    const flipped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
    for (const changed of [
      `${header}.${claims}.${flipped}`,
      `${header}.${claims}.`,
      `${header}.${other}.${signature}`,
      `${none}.${claims}.${signature}`,
      `${none}.${claims}.`,
    ]) {
      await expect(verifyToken(keysOf(first), changed)).rejects.toMatchObject({ code: 'unauthorized' })
    }
  })
})

it.each([
  ['unauthorized', tokenRefused(), 'The checkout token is not valid.'],
  ['token_expired', tokenExpired(), 'it lives 16 minutes'],
])('a token that is refused as %s says so as RFC 6750 asks', (code, error, words) => {
  expect(error).toMatchObject({ code, challenge: 'Bearer error="invalid_token"' })
  expect(error.message).toContain(words)
})
