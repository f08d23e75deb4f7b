import fc from 'fast-check'

const naughtyTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\uD800',
  '\uDFFF\uD800',
  '\u202Eright to left',
  '\uFEFF',
  '𝟓𝟏𝟏𝟏',
  '١٢٣',
  'ﷺ'.repeat(300),
  'x'.repeat(70_000),
  "' OR 1=1; DROP TABLE charges; --",
  '$1; SELECT pg_sleep(10)',
  '<script>alert(1)</script>',
  '${jndi:ldap://example.invalid/a}',
  '../../etc/passwd',
  '%00%ff%2e%2e',
  '__proto__',
  'constructor',
  'true',
  'null',
  'NaN',
  'Infinity',
  '-0',
  '1e309',
  '0x10',
  '9'.repeat(400),
]
const naughtyValues: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown[]>(...naughtyTexts),
  fc.constantFrom<unknown[]>(
    null,
    true,
    false,
    0,
    -0,
    -1,
    1.005,
    1e308,
    5e-324,
    2 ** 53,
    [],
    {},
    [[]],
    [null],
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.double(),
  fc.jsonValue({ maxDepth: 4 }),
)
const naughtyNames = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    '',
    'amount',
    'token',
    'capture',
    '\u0000',
    'Amount',
  ),
  fc.string({ maxLength: 12 }),
)

type Fields = Readonly<Record<string, unknown>>

/** A valid body in which a field or two are left out, added or wrong. */
const mutated = (body: Fields): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.array(fc.tuple(fc.constantFrom('amount', ...Object.keys(body)), naughtyValues), { maxLength: 3 }),
      fc.array(fc.tuple(naughtyNames, naughtyValues), { maxLength: 2 }),
      fc.subarray(Object.keys(body), { maxLength: Math.min(2, Object.keys(body).length) }),
    )
    .map(([changes, additions, losses]) => {
      const kept = Object.entries(body).filter(([name]) => !losses.includes(name))
      // Written as text, member by member, because an object can contain neither a name twice nor __proto__.
      const members = [...kept, ...changes, ...additions].map(
        ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
      )
      return `{${members.join(',')}}`
    })

/** Text that is not JSON, JSON that is not an object, or an object that is far too deep, big or repetitive. */
const broken = (body: Fields): fc.Arbitrary<string> => {
  const text = JSON.stringify(body)
  return fc.oneof(
    fc.nat(text.length).map((end) => text.slice(0, end)),
    fc
      .tuple(fc.nat(text.length), fc.string({ maxLength: 3 }))
      .map(([at, junk]) => text.slice(0, at) + junk + text.slice(at)),
    fc.constantFrom(
      '[]',
      '""',
      '0',
      'null',
      'true',
      '[[[]]]',
      '{',
      '}',
      '{"a":}',
      "{'a':1}",
      `\uFEFF${text}`,
      `${text}${text}`,
    ),
    fc.integer({ min: 100, max: 20_000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
    fc.integer({ min: 100, max: 9000 }).map((depth) => `{"a":`.repeat(depth) + '1' + '}'.repeat(depth)),
    fc
      .integer({ min: 2, max: 3000 })
      .map((times) => `{${Array.from({ length: times }, () => '"amount":"1"').join(',')}}`),
    fc
      .integer({ min: 2, max: 4000 })
      .map((count) => `{${Array.from({ length: count }, (_, n) => `"k${String(n)}":0`).join(',')}}`),
  )
}

/** The bytes of an invalid body, made from a valid one. */
export function malformedBody(body: Fields): fc.Arbitrary<Buffer> {
  return fc.oneof(
    { weight: 6, arbitrary: mutated(body).map((text) => Buffer.from(text)) },
    { weight: 3, arbitrary: broken(body).map((text) => Buffer.from(text)) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.nat(200), fc.constantFrom(0xff, 0xc0, 0xed, 0x80, 0xf8, 0x00))
        .map(([at, byte]) => {
          const bytes = Buffer.from(JSON.stringify(body))
          return Buffer.concat([bytes.subarray(0, at), Buffer.from([byte]), bytes.subarray(at)])
        }),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  )
}
