import { encoded } from '../tokens/token-parts.ts'
import type { Forgery, Parts } from '../tokens/token-parts.ts'
import type { Sign } from './signer.ts'

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
