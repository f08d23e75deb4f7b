import { createPublicKey, createSign, generateKeyPairSync } from 'node:crypto'
import { exportJWK } from 'jose'
import type { CryptoKey, JWK } from 'jose'
import { createSigningKeys } from '../src/service/domains/oauth/signing-keys.ts'
import { createIds } from '../src/service/platform/identifiers.ts'
import { createTextVault } from '../src/service/platform/vault/vault.ts'
import { localMasterKeys } from '../src/service/testing/local-master-keys.ts'
import { TEST_KEY } from '../src/service/testing/test-service.ts'
import type { TestService } from '../src/service/testing/test-service.ts'
import { encoded } from './token-parts.ts'

/** Signs any header and claims; a string is used as it is. */
export type Sign = (header: unknown, claims: unknown) => Promise<string>

/** A signer with the service's own key, which no attacker has, so that only the claims or header of a token are wrong. */
export async function ownSigner({ database }: TestService): Promise<{ sign: Sign; publicJwk: JWK }> {
  const timeOfDay = { epochMs: Date.now }
  const keys = createSigningKeys({
    database,
    vault: createTextVault(() => localMasterKeys(`test:${TEST_KEY.toString('base64')}`)),
    createId: createIds(timeOfDay),
    timeOfDay,
  })
  const { privateKey } = await keys.current()
  const [publicJwk] = (await keys.published()).keys
  if (publicJwk === undefined) throw new Error('there is no key')
  return { sign: (header, claims) => signed(header, claims, privateKey), publicJwk }
}

async function signed(header: unknown, claims: unknown, key: CryptoKey): Promise<string> {
  const input = `${encoded(header)}.${encoded(claims)}`
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, Buffer.from(input))
  return `${input}.${Buffer.from(signature).toString('base64url')}`
}

/** The attacker's own key, and the JWK by which a header would describe it. */
export function foreignSigner(): { sign: Sign; jwk: JWK } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const sign: Sign = (header, claims) => {
    const input = `${encoded(header)}.${encoded(claims)}`
    const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const
    return Promise.resolve(`${input}.${createSign('sha256').update(input).sign(key, 'base64url')}`)
  }
  return { sign, jwk: publicKey.export({ format: 'jwk' }) }
}

/** The public key in every form that a library might take for the secret of an HMAC. */
export async function publicTexts(jwk: JWK): Promise<(Buffer | string)[]> {
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' })
  const pem = key.export({ format: 'pem', type: 'spki' }).toString()
  return [
    pem,
    pem.trim(),
    pem.replaceAll('\n', '\r\n'),
    key.export({ format: 'der', type: 'spki' }),
    JSON.stringify(jwk),
    JSON.stringify(await exportJWK(key)),
    jwk.x ?? '',
    Buffer.from(jwk.x ?? '', 'base64url'),
    '',
  ]
}
