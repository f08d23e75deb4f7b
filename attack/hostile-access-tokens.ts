import type { JWK } from 'jose'
import { encoded, hmac, signed as hmacSigned } from './token-parts.ts'
import type { Forgery, Parts } from './token-parts.ts'
import { foreignSigner, publicTexts } from './access-token-signer.ts'
import type { Sign } from './access-token-signer.ts'

const HOUR = 3600
const DAY = 86_400

/** A claim's value as JSON text, because `JSON.stringify` never writes some of the values that JSON allows. */
const raw = (json: string) => ({ json })
type Value = { json: string } | undefined

const of = (...values: unknown[]): Value[] => values.map((value) => raw(JSON.stringify(value)))

function wrongValues({ claims }: Parts, now: number): Readonly<Record<string, readonly Value[]>> {
  const issuer = String(claims['iss'])
  const wrongTypes = [undefined, ...of(null, '', true, [], {})]
  return {
    iss: [
      ...wrongTypes,
      ...of(
        `${issuer}/`,
        issuer.toUpperCase(),
        issuer.replace('http:', 'https:'),
        issuer.replace('//', '//a@'),
      ),
      ...of(`${issuer}#`, `${issuer}?`, `${issuer}\0`, ` ${issuer}`, 'https://attacker.example', [issuer], 0),
      ...of(
        issuer.replace('localhost', '127.0.0.1'),
        issuer.replace('localhost', 'localhost.'),
        `${issuer}/oauth`,
      ),
    ],
    aud: [
      ...wrongTypes,
      ...of('https://other.example', ['https://other.example'], [[issuer]], { 0: issuer }, 0),
      ...of(
        issuer.toUpperCase(),
        `${issuer}/`,
        `${issuer}.attacker.example`,
        issuer.slice(0, -1),
        `${issuer} `,
      ),
      ...of(`https://other.example ${issuer}`, '*', 'agreements', 'checkout', String(claims['client_id'])),
    ],
    exp: [
      ...wrongTypes,
      ...of(0, -1, now - 61, now - HOUR, now + HOUR + 0.5, String(now + HOUR), String(now + HOUR), [
        now + HOUR,
      ]),
      ...of(now + 10 * DAY, now + 100 * 365 * DAY, Number.MAX_SAFE_INTEGER, 1e15),
      ...['1e400', '-1e400', '1e30', '99999999999999999999', '0.1e1'].map(raw),
      ...of('NaN', 'Infinity', new Date(0).toISOString()),
    ],
    iat: [...wrongTypes, ...of(now + 120, now + DAY, -1, 0.5, String(now)), raw('1e400'), raw('-1e400')],
    nbf: [...of(null, '', true, [], {}, now + 120, now + DAY, String(now), 0.5, -1), raw('1e400')],
    client_id: [
      ...wrongTypes,
      ...of(
        'client_000000000000000000000000',
        `${String(claims['client_id'])} `,
        `${String(claims['client_id'])}\0`,
      ),
      ...of(
        String(claims['client_id']).toUpperCase(),
        [claims['client_id']],
        { $ne: '' },
        0,
        '*',
        '%',
        '../x',
      ),
      ...of("' OR 1=1 --", '__proto__', 'x'.repeat(129), 'x'.repeat(4000), '😀'),
    ],
    sub: [...wrongTypes, ...of(0, 'x'.repeat(257), ['x'])],
    scope: of(null, 0, true, {}, ['agreements:read'], 'x'.repeat(2001)),
  }
}

/** Signed by our own key, but for another purpose, another time or another installation. */
export async function wrongClaims(sign: Sign, parts: Parts, now: number): Promise<Forgery[]> {
  const all = Object.entries(wrongValues(parts, now)).flatMap(([claim, values]) =>
    values.map((value) => ({ claim, value })),
  )
  return Promise.all(
    all.map(async ({ claim, value }) => ({
      name: `our key, ${claim} ${value?.json ?? 'left out'}`.slice(0, 120),
      token: await sign(parts.header, jsonWith(parts.claims, claim, value)),
    })),
  )
}

function jsonWith(claims: Parts['claims'], claim: string, value: Value): string {
  const others = Object.entries(claims).filter(([name]) => name !== claim)
  const members = others.map(([name, one]) => `${JSON.stringify(name)}:${JSON.stringify(one)}`)
  return `{${[...members, ...(value === undefined ? [] : [`"${claim}":${value.json}`])].join(',')}}`
}

const CLAIMS = [
  'iss',
  'sub',
  'aud',
  'exp',
  'iat',
  'nbf',
  'jti',
  'client_id',
  'scope',
  'cnf',
  '__proto__',
] as const
const VALUES: readonly unknown[] = [
  null,
  '',
  0,
  -1,
  true,
  [],
  {},
  '9'.repeat(20),
  'agreements:read payments:write',
  '\0',
]

/** Claims that were changed after they were signed. */
export function alteredClaims({ head, body, claims, signature }: Parts): Forgery[] {
  const text = Buffer.from(body, 'base64url').toString()
  const deep = `{"a":${'['.repeat(2500)}${']'.repeat(2500)},${text.slice(1)}`
  const bodies: Readonly<Record<string, string>> = {
    'a name twice, first': text.replace('{', '{"client_id":"client_x",'),
    'a name twice, last': text.replace(/\}$/, ',"scope":"payments:write"}'),
    'a name escaped': text.replace('"sub"', '"\\u0073ub"'),
    'a space': ` ${text}`,
    'nested 2,500 deep': deep,
    'a byte order mark': `\ufeff${text}`,
    'no JSON': 'client_id=x',
    'a list': `[${text}]`,
    null: 'null',
  }
  return [
    ...CLAIMS.flatMap((claim) =>
      VALUES.map((value) => ({
        name: `${claim} changed to ${JSON.stringify(value)}`,
        token: `${head}.${encoded({ ...claims, [claim]: value })}.${signature}`,
      })),
    ),
    ...Object.entries(bodies).map(([name, one]) => ({
      name: `claims changed: ${name}`,
      token: `${head}.${encoded(one)}.${signature}`,
    })),
  ]
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Signatures in which a bit, the length or the way of writing was changed. */
export function alteredSignatures({ head, body, signature }: Parts): Forgery[] {
  const bytes = Buffer.from(signature, 'base64url')
  const [r, s] = [bytes.subarray(0, 32), bytes.subarray(32)]
  const with_ = (name: string, text: string) => ({ name, token: `${head}.${body}.${text}` })
  const flipped = Array.from({ length: bytes.length * 8 }, (_, bit) => {
    const altered = Buffer.from(bytes)
    altered.writeUInt8(altered.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    return with_(`bit ${String(bit)} of the signature`, altered.toString('base64url'))
  })
  const cut = Array.from({ length: bytes.length }, (_, length) =>
    with_(`${String(length)} bytes of the signature`, bytes.subarray(0, length).toString('base64url')),
  )
  // The last letter of 64 bytes carries two bits; the other four are left over.
  const others = Array.from(LETTERS).filter((letter) => letter !== signature.at(-1))
  const der = Buffer.concat([Buffer.from([0x30, 68, 2, 32]), r, Buffer.from([2, 32]), s])
  return [
    ...flipped,
    ...cut,
    ...others.map((letter) => with_(`last letter ${letter}`, `${signature.slice(0, -1)}${letter}`)),
    with_('DER', der.toString('base64url')),
    with_('hex', bytes.toString('hex')),
    with_('base64', bytes.toString('base64')),
    with_('padded', `${signature}==`),
    with_('r and s swapped', Buffer.concat([s, r]).toString('base64url')),
    with_('zeros', Buffer.alloc(64).toString('base64url')),
    with_('twice', `${signature}${signature}`),
    with_('one byte more', Buffer.concat([bytes, Buffer.alloc(1)]).toString('base64url')),
  ]
}

/** Texts that are not a signed token of three parts. */
export function otherShapes(token: string, { header, claims, head, body, signature }: Parts): Forgery[] {
  const json = JSON.stringify({ payload: body, protected: head, signature })
  const jwe = encoded({ alg: 'dir', enc: 'A256GCM', typ: 'at+jwt', kid: header['kid'] })
  const shapes: Readonly<Record<string, string>> = {
    'one part': head,
    'two dots and nothing': '..',
    'four parts': `${token}.${signature}`,
    'five parts': `${jwe}..AAAAAAAAAAAAAAAA.${body}.AAAAAAAAAAAAAAAAAAAAAA`,
    'no header': `.${body}.${signature}`,
    'no claims': `${head}..${signature}`,
    'no signature': `${head}.${body}.`,
    'parts swapped': `${body}.${head}.${signature}`,
    'the token twice': `${token}${token}`,
    'two tokens': `${token} ${token}`,
    'a list of two': `${token}, ${token}`,
    'a JSON serialisation': json,
    'a JSON serialisation, encoded': encoded(json),
    'upper case': token.toUpperCase(),
    quoted: `"${token}"`,
    'a space inside': token.replace('.', ' .'),
    'a tab before': `\t${token}`,
    'a percent-encoded dot': token.replace('.', '%2E'),
    'header padded': token.replace('.', '=.'),
    'header in base64': `${Buffer.from(JSON.stringify({ ...header, x: '???>>>' })).toString('base64')}.${body}.${signature}`,
    'header doubled by name': `${encoded(JSON.stringify(header).replace('{', '{"alg":"none",'))}.${body}.${signature}`,
    'header no JSON': `${encoded('alg=ES256')}.${body}.${signature}`,
    'header a list': `${encoded([header])}.${body}.${signature}`,
    'header null': `${encoded('null')}.${body}.${signature}`,
    'claims of 10 kB': `${head}.${encoded({ ...claims, x: 'x'.repeat(7500) })}.${signature}`,
    null: 'null',
    undefined: 'undefined',
  }
  return Object.entries(shapes).map(([name, shape]) => ({ name, token: shape }))
}

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
