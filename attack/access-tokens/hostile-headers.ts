import type { JWK } from 'jose'
import { encoded, hmac, signed as hmacSigned } from '../tokens/token-parts.ts'
import type { Forgery, Parts } from '../tokens/token-parts.ts'
import { foreignSigner, publicTexts } from './signer.ts'
import type { Sign } from './signer.ts'

const ALGORITHMS: readonly unknown[] = [
  ...['none', 'None', 'nOnE', 'NONE', ' none', 'none\0', '', ' ', null, 0, true, [], {}, ['ES256']],
  ...[
    'HS256',
    'HS384',
    'HS512',
    'es256',
    'ES256 ',
    'ES384',
    'ES512',
    'ES256K',
    'RS256',
    'RS1',
    'PS256',
    'PS512',
  ],
  ...[
    'EdDSA',
    'Ed25519',
    'Ed448',
    'dir',
    'A256KW',
    'RSA-OAEP',
    'ECDH-ES',
    'PBES2-HS256+A128KW',
    'ES256,none',
  ],
]

/** Tokens that name another algorithm than the key's. */
export function otherAlgorithms({ header, claims, body, signature }: Parts): Forgery[] {
  return ALGORITHMS.flatMap((alg) => {
    const head = encoded({ ...header, alg })
    const name = `alg ${JSON.stringify(alg)}`
    return [
      { name: `${name}, no signature`, token: `${head}.${body}.` },
      { name: `${name}, two parts`, token: `${head}.${body}` },
      { name: `${name}, the right token's signature`, token: `${head}.${body}.${signature}` },
      { name: `${name}, signed with nothing`, token: hmacSigned({ ...header, alg }, claims, '') },
    ]
  })
}

/** The public key as the secret of an HMAC. */
export async function hmacByPublicKey(jwk: JWK, { header, claims }: Parts): Promise<Forgery[]> {
  const texts = await publicTexts(jwk)
  const noAlgorithm = { ...header, alg: undefined }
  const noKey = { ...header, kid: undefined }
  return texts.flatMap((text, at) =>
    [{ ...header, alg: 'HS256' }, { ...noKey, alg: 'HS256' }, { ...header }, noAlgorithm].map((one) => ({
      name: `HMAC by form ${String(at)} of the public key, header ${JSON.stringify(one)}`,
      token: hmacSigned(one, claims, text),
    })),
  )
}

const KEY_IDS: readonly unknown[] = [
  ...['', ' ', null, 0, true, [], {}, 'k9', '*', '__proto__', 'constructor', 'hasOwnProperty', 'toString'],
  ...[
    '../../../../dev/null',
    '/etc/passwd',
    'file:///dev/null',
    'http://127.0.0.1/key',
    'data:,x',
    '\\\\host\\x',
  ],
  ...[
    "' OR 1=1 --",
    "' UNION SELECT 'x",
    '"; DROP TABLE oauth_signing_keys; --',
    '$ne',
    '${jndi:ldap://x}',
    '%00',
  ],
  ...['\0', '\u202e', 'ключ', '𝟎', '😀'.repeat(50), 'x'.repeat(201), 'x'.repeat(5000)],
]

/** Signed by another issuer's key, under our key's id and under ids that lead elsewhere; and tokens that bring their own key. */
export async function foreignKeys({ header, claims }: Parts): Promise<Forgery[]> {
  const { sign, jwk } = foreignSigner()
  const noKey = { ...header, kid: undefined }
  const kid = String(header['kid'])
  const ids = [...KEY_IDS, kid, kid.toUpperCase(), ` ${kid}`, `${kid}\0`, `${kid}/../${kid}`]
  const headers: object[] = [
    noKey,
    ...ids.map((id) => ({ ...header, kid: id })),
    ...broughtAlong(jwk).map((extra) => ({ ...header, ...extra })),
    ...broughtAlong(jwk).map((extra) => ({ ...noKey, ...extra })),
  ]
  return Promise.all(
    headers.map(async (one) => ({
      name: `another's key, header ${JSON.stringify(one).slice(0, 200)}`,
      token: await sign(one, claims),
    })),
  )
}

function broughtAlong(jwk: JWK): object[] {
  return [
    { jwk },
    { jwk: { ...jwk, kid: 'own' }, kid: 'own' },
    { jwk: { kty: 'oct', k: 'AAAA' } },
    { jku: 'http://127.0.0.1:1/jwks' },
    { jku: 'https://attacker.example/jwks.json' },
    { x5u: 'https://attacker.example/cert.pem' },
    { x5c: ['MIIB'] },
    { x5t: 'AAAA' },
    { 'x5t#S256': 'AAAA' },
    { keys: [jwk] },
    { iss: 'https://attacker.example' },
  ]
}

/** Signed by our own key, with a header that is not one of an access token. */
export async function wrongHeaders(sign: Sign, { header, claims, body }: Parts): Promise<Forgery[]> {
  const extras: object[] = [
    ...[
      undefined,
      '',
      'JWT',
      'jwt',
      'at',
      'at-jwt',
      'at+jwt+x',
      'id_token',
      'logout+jwt',
      'dpop+jwt',
      'JWS',
      null,
      0,
      [],
      {},
    ].map((typ) => ({ typ })),
    ...[['exp'], ['x'], [], 'exp', null, {}, [''], [1], ['alg'], ['b64'], ['__proto__']].map((crit) => ({
      crit,
    })),
    { crit: ['exp'], exp: 1 },
    { crit: ['b64'], b64: false },
    { crit: ['b64'], b64: true },
    { b64: false },
    ...broughtAlong({ kty: 'EC' }).slice(0, 7),
    ...['', null, 0, [], {}, 'x'.repeat(300)].map((kid) => ({ kid })),
    { kid: undefined },
  ]
  const made = extras.map(async (extra) => ({
    name: `our key, header ${JSON.stringify(extra)}`,
    token: await sign({ ...header, ...extra }, claims),
  }))
  const unencoded = encoded({ ...header, crit: ['b64'], b64: false })
  return [
    ...(await Promise.all(made)),
    {
      name: 'claims not encoded',
      token: `${unencoded}.${body}.${hmac(`${unencoded}.${JSON.stringify(claims)}`, '')}`,
    },
  ]
}
