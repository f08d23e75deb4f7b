import { randomBytes } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { madeIntent } from '../testing/made-intent.ts'
import { createIntentTokens } from './intent-tokens.ts'
import { signingKeysOf } from './signing-keys.ts'

const key = (id: string): Secrets => new Map([[id, randomBytes(32)]])
const [first, second] = [key('k1'), key('k2')]
type Secrets = ReadonlyMap<string, Uint8Array>
const MADE_AT = Date.parse('2026-11-21T10:00:00.500Z')
const intent = madeIntent({
  id: '6b01799184f819f4cecbe1a7',
  workflowVersion: 2,
  createdAt: new Date(MADE_AT),
})

const tokensOf = (keys: Secrets, issuer = 'https://pay.example.com') =>
  createIntentTokens({ keys: signingKeysOf(keys), issuer })
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('the token of an intent', () => {
  it('names the intent and its version, for 16 minutes, and is the same each time', async () => {
    const token = await tokensOf(first).tokenOf(intent)
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
    expect(await tokensOf(first).tokenOf(intent)).toBe(token)
  })

  it('opens its intent whatever the time is: the age of the intent says whether that is over', async () => {
    const old = { ...intent, createdAt: new Date('2001-01-01T00:00:00Z') }
    expect(await tokensOf(first).verify(await tokensOf(first).tokenOf(old))).toBe(intent.id)
  })

  it('stays good when the keys are rotated, until its key is taken away', async () => {
    const token = await tokensOf(first).tokenOf(intent)
    const rotated = tokensOf(new Map([...second, ...first]))
    expect(await rotated.verify(token)).toBe(intent.id)
    expect(decodeProtectedHeader(await rotated.tokenOf(intent)).kid).toBe('k2')
    await expect(tokensOf(second).verify(token)).rejects.toMatchObject({ code: 'unauthorized' })
  })

  const signed = async (change: (jwt: SignJWT) => SignJWT, header: { alg: string; kid?: string }) => {
    const jwt = new SignJWT({ version: 1 })
      .setSubject(intent.id)
      .setAudience('checkout')
      .setIssuedAt(MADE_AT / 1000)
    const whole = jwt.setIssuer('https://pay.example.com').setExpirationTime(MADE_AT / 1000 + 960)
    const { current } = signingKeysOf(first)
    return change(whole).setProtectedHeader(header).sign(current.key)
  }
  const good = { alg: 'HS256', kid: 'k1' }

  it('signed the same way elsewhere in these tests is good', async () => {
    expect(await tokensOf(first).verify(await signed((jwt) => jwt, good))).toBe(intent.id)
  })

  it.each([
    ['of another installation', () => tokensOf(first, 'https://other.example').tokenOf(intent)],
    ['for something else', () => signed((jwt) => jwt.setAudience('agreements'), good)],
    ['that names no intent', () => signed((jwt) => jwt.setSubject('admin'), good)],
    ['by another algorithm of the same key', () => signed((jwt) => jwt, { alg: 'HS512', kid: 'k1' })],
    ['with a later end', () => signed((jwt) => jwt.setExpirationTime(MADE_AT / 1000 + 3600), good)],
    ['that ended long ago', () => signed((jwt) => jwt.setExpirationTime(MADE_AT / 1000 - 7200), good)],
    ['without a key id', () => signed((jwt) => jwt, { alg: 'HS256' })],
    ['by a key that is not known', () => signed((jwt) => jwt, { alg: 'HS256', kid: 'k9' })],
    ['that is none', () => Promise.resolve('a.b.c')],
  ])('%s is refused', async (_name, make) => {
    await expect(tokensOf(first).verify(await make())).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('with its signature, its claims or its algorithm changed is refused', async () => {
    const [header = '', claims = '', signature = ''] = (await tokensOf(first).tokenOf(intent)).split('.')
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
      await expect(tokensOf(first).verify(changed)).rejects.toMatchObject({ code: 'unauthorized' })
    }
  })
})
