import { createSign, generateKeyPairSync } from 'node:crypto'
import { encoded, hmac, signed } from './token-parts.ts'
import type { Forge, Forgery, Parts } from './token-parts.ts'

/** Tokens that say in their header how they want to be checked. */
export function forgedHeaders(forge: Forge, parts: Parts): Forgery[] {
  return [
    ...otherAlgorithms(forge, parts),
    ...keyIds(forge, parts),
    ...ownKeys(parts),
    ...criticalHeaders(forge, parts),
  ]
}

const ALGORITHMS: readonly unknown[] = [
  'none',
  'None',
  'NONE',
  'nOnE',
  'none ',
  '',
  ' ',
  null,
  0,
  true,
  [],
  {},
  ['HS256'],
  { alg: 'HS256' },
  'hs256',
  'HS256 ',
  'HS-256',
  'HS1',
  'HS384',
  'HS512',
  'RS256',
  'RS512',
  'PS256',
  'ES256',
  'ES256K',
  'EdDSA',
  'Ed25519',
  'dir',
  'A256KW',
  'A256GCMKW',
  'PBES2-HS256+A128KW',
]

/** The algorithm is ours to choose, not the token's. */
function otherAlgorithms({ key, publicTexts }: Forge, { header, claims, body, signature }: Parts): Forgery[] {
  return ALGORITHMS.flatMap((alg) => {
    const head = encoded({ ...header, alg })
    const hash = alg === 'HS512' ? 'sha512' : 'sha384'
    const name = `alg ${JSON.stringify(alg)}`
    return [
      { name: `${name}, no signature`, token: `${head}.${body}.` },
      { name: `${name}, two parts`, token: `${head}.${body}` },
      { name: `${name}, the right token's signature`, token: `${head}.${body}.${signature}` },
      { name: `${name}, signed with nothing`, token: signed({ ...header, alg }, claims, '') },
      {
        name: `${name}, signed with a public text`,
        token: signed({ ...header, alg }, claims, publicTexts[0] ?? ''),
      },
      {
        name: `${name}, signed with our key by another hash`,
        token: signed({ ...header, alg }, claims, key, hash),
      },
    ]
  })
}

const KEY_IDS: readonly unknown[] = [
  '',
  ' ',
  null,
  0,
  [],
  {},
  'k9',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '../../../../dev/null',
  '/proc/sys/kernel/randomize_va_space',
  "' UNION SELECT 'x",
  'test\u0000',
  'TEST',
  'test ',
  '*',
  'x'.repeat(2000),
  'http://127.0.0.1/key',
  'data:,x',
]

/** A key's id (`kid`) selects one of our keys; it must never be used to read anything else. */
function keyIds({ publicTexts }: Forge, { header, claims }: Parts): Forgery[] {
  const guesses = ['', '\0', '\0'.repeat(32), 'secret', '0', ...publicTexts]
  const { kid, ...without } = header
  return [
    ...KEY_IDS.flatMap((id) =>
      guesses.map((guess) => ({
        name: `kid ${JSON.stringify(id)} signed with ${JSON.stringify(guess).slice(0, 30)}`,
        token: signed({ ...header, kid: id }, claims, guess),
      })),
    ),
    ...guesses.map((guess) => ({
      name: `right kid signed with ${JSON.stringify(guess).slice(0, 30)}`,
      token: signed(header, claims, guess),
    })),
    { name: 'no kid, signed with the kid', token: signed(without, claims, String(kid)) },
  ]
}

/** A token that brings its own key, or says where to find it. */
function ownKeys({ header, claims }: Parts): Forgery[] {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = publicKey.export({ format: 'jwk' })
  const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString()
  const symmetric = {
    kty: 'oct',
    k: Buffer.alloc(32, 7).toString('base64url'),
    alg: 'HS256',
    kid: header['kid'],
  }
  const extras: object[] = [
    { jwk: symmetric },
    { jwk },
    { jku: 'http://127.0.0.1:1/jwks' },
    { jku: 'https://attacker.example/jwks.json' },
    { x5u: 'https://attacker.example/cert.pem' },
    { x5c: [Buffer.from(pem).toString('base64')] },
    { x5t: 'AAAA' },
    { 'x5t#S256': 'AAAA' },
    { keys: [symmetric] },
    { k: symmetric.k },
  ]
  return extras.flatMap((extra) => {
    const rs = `${encoded({ ...header, ...extra, alg: 'RS256' })}.${encoded(claims)}`
    const name = Object.keys(extra).join()
    return [
      {
        name: `${name} in the header, HMAC by it`,
        token: signed({ ...header, ...extra }, claims, Buffer.alloc(32, 7)),
      },
      {
        name: `${name} in the header, HMAC by its public text`,
        token: signed({ ...header, ...extra }, claims, pem),
      },
      {
        name: `${name} in the header, RSA`,
        token: `${rs}.${createSign('sha256').update(rs).sign(privateKey, 'base64url')}`,
      },
    ]
  })
}

/** Headers marked as critical (`crit`, RFC 7515, section 4.1.11) that the service does not understand, under a valid signature. */
function criticalHeaders({ key }: Forge, { header, claims, body }: Parts): Forgery[] {
  const extras: object[] = [
    { crit: ['exp'], exp: 1 },
    { crit: ['x'], x: 1 },
    { crit: ['x'] },
    { crit: [] },
    { crit: 'exp' },
    { crit: null },
    { crit: {} },
    { crit: [''] },
    { crit: [1] },
    { crit: ['alg'] },
    { crit: ['b64'] },
    { crit: ['b64'], b64: false },
    { crit: ['b64', 'x'], b64: true },
    { crit: ['__proto__'] },
  ]
  return extras.flatMap((extra) => [
    { name: `header ${JSON.stringify(extra)}`, token: signed({ ...header, ...extra }, claims, key) },
    {
      name: `header ${JSON.stringify(extra)}, claims as they are`,
      token: `${encoded({ ...header, ...extra })}.${body}.${hmac(`${encoded({ ...header, ...extra })}.${JSON.stringify(claims)}`, key)}`,
    },
  ])
}
