import { createSign, generateKeyPairSync } from 'node:crypto'
import { encoded, signed, hmac } from './token-parts.ts'
import type { Forge, Forgery, Parts } from './token-parts.ts'

/** Tokens whose claims or signature are not what was signed, or not what a checkout's token says. */
export function forgedClaims(forge: Forge, parts: Parts): Forgery[] {
  return [
    ...alteredSignatures(parts),
    ...alteredClaims(parts),
    ...signedClaims(forge, parts),
    ...otherShapes(forge, parts),
  ]
}

/** Signatures in which a bit or the length was changed. */
function alteredSignatures({ head, body, signature }: Parts): Forgery[] {
  const bytes = Buffer.from(signature, 'base64url')
  const flipped = Array.from({ length: bytes.length * 8 }, (_, bit) => {
    const altered = Buffer.from(bytes)
    altered.writeUInt8(altered.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    return {
      name: `bit ${String(bit)} of the signature`,
      token: `${head}.${body}.${altered.toString('base64url')}`,
    }
  })
  const lengths = Array.from({ length: bytes.length }, (_, length) => ({
    name: `${String(length)} bytes of the signature`,
    token: `${head}.${body}.${bytes.subarray(0, length).toString('base64url')}`,
  }))
  const others = [
    Buffer.concat([bytes, bytes]),
    Buffer.concat([bytes, Buffer.alloc(1)]),
    Buffer.alloc(32),
    Buffer.alloc(32, 255),
    Buffer.from(bytes).reverse(),
  ]
  return [
    ...flipped,
    ...lengths,
    ...others.map((other) => ({
      name: 'another signature',
      token: `${head}.${body}.${other.toString('base64url')}`,
    })),
    { name: 'the signature padded', token: `${head}.${body}.${signature}=` },
    { name: 'the signature in hex', token: `${head}.${body}.${bytes.toString('hex')}` },
  ]
}

const VALUES: readonly unknown[] = [
  null,
  '',
  0,
  -1,
  1e308,
  true,
  [],
  {},
  '9'.repeat(20),
  '𝟎',
  '\u0000',
  'checkout\u0000',
  ['checkout', 'x'],
]
const CLAIMS = ['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'version', '__proto__', 'intent', 'amount']

/** Claims that were changed after they were signed. */
function alteredClaims({ head, body, claims, signature }: Parts): Forgery[] {
  const twice = Buffer.from(body, 'base64url').toString().replace('{', '{"sub":"ffffffffffffffffffffffff",')
  return [
    ...CLAIMS.flatMap((claim) =>
      VALUES.map((value) => ({
        name: `${claim} changed to ${JSON.stringify(value)}`,
        token: `${head}.${encoded({ ...claims, [claim]: value })}.${signature}`,
      })),
    ),
    { name: 'a claim put in twice', token: `${head}.${encoded(twice)}.${signature}` },
    { name: 'a space put in', token: `${head}.${encoded(` ${JSON.stringify(claims)}`)}.${signature}` },
    {
      name: 'the claims escaped',
      token: `${head}.${encoded(JSON.stringify(claims).replace('sub', '\\u0073ub'))}.${signature}`,
    },
  ]
}

const HOUR = 3600

/** Signed by our own key, but for another purpose, another time or another installation. */
function signedClaims({ key, nowSeconds }: Forge, { header, claims }: Parts): Forgery[] {
  const wrong: Readonly<Record<string, readonly unknown[]>> = {
    iss: [
      undefined,
      null,
      '',
      'https://attacker.example',
      `${String(claims['iss'])}/`,
      String(claims['iss']).toUpperCase(),
      0,
      {},
    ],
    aud: [undefined, null, '', 'agreements', 'Checkout', 'checkout ', ['agreements'], [], 0, {}],
    sub: [
      undefined,
      null,
      '',
      'admin',
      'f'.repeat(24),
      'f'.repeat(23),
      'f'.repeat(25),
      "' OR 1=1 --",
      '../x',
      0,
      {},
      ['f'.repeat(24)],
    ],
    exp: [undefined, null, '', 'tomorrow', String(nowSeconds + HOUR), 0, -1, nowSeconds - 2 * HOUR, {}, []],
    iat: [undefined, null, '', 'now', {}, []],
    nbf: [nowSeconds + 2 * HOUR, 1e15, 'now', {}, []],
  }
  return Object.entries(wrong).flatMap(([claim, values]) =>
    values.map((value) => ({
      name: `${claim} ${value === undefined ? 'left out' : JSON.stringify(value)}, signed by our key`,
      token: signed(header, { ...claims, [claim]: value }, key),
    })),
  )
}

/** Texts that are not a signed token of three parts. */
function otherShapes({ token, key }: Forge, { header, claims, head, body, signature }: Parts): Forgery[] {
  const json = JSON.stringify({ payload: body, protected: head, signature })
  const shapes: Readonly<Record<string, string>> = {
    'one part': head,
    'two parts': `${head}.${body}`,
    'four parts': `${token}.${signature}`,
    'five parts': `${token}.${signature}.${signature}`,
    'empty parts': '..',
    'no header': `.${body}.${signature}`,
    'no claims': `${head}..${signature}`,
    'no signature': `${head}.${body}.`,
    'parts swapped': `${body}.${head}.${signature}`,
    'the token twice': `${token}${token}`,
    'the token in base64': Buffer.from(token).toString('base64url'),
    'a JSON serialisation': Buffer.from(json).toString('base64url'),
    'upper case': token.toUpperCase(),
    padded: `${token}==`,
    'a percent-encoded dot': token.replace('.', '%2E'),
    'a slash': token.replace('.', '..'),
    'a token in a token': signed({ ...header, cty: 'JWT' }, token, key),
    'claims that are a list': signed(header, [claims], key),
    'claims that are a text': signed(header, '"checkout"', key),
    'claims that are no JSON': signed(header, 'sub=x', key),
    'claims that are null': signed(header, 'null', key),
    'a header that is a list': signed([header], claims, key),
    'a header that is null': signed('null', claims, key),
    'a header that is no JSON': signed('alg=HS256', claims, key),
    '10 kB': `${token}${'A'.repeat(10_000)}`,
  }
  return Object.entries(shapes).map(([name, shape]) => ({ name, token: shape }))
}

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
