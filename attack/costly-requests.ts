/** What takes long to read, in proportion to its length: escapes within escapes, digits in groups, what Unicode makes longer. */
const COSTLY_TEXTS = [
  '\\u0034',
  '4111 ',
  '\uFDFA',
  'DE89 3704 0044 ',
  '4%341\\u0031&#49;',
  '４',
  ' +1234567',
  'a1b2c3d4',
  '4\u0301',
  'a@a.',
  '\u0001',
]

/** Names that routes open to anyone know. */
const FIELDS = [
  'email password code recovery_code token name response type gateway_id card_name card_number expire_month',
  'expire_year card_ccv first_name email phone meta payment_source address_line1 answer grant_type client_id',
].flatMap((names) => names.split(' '))

const repeated = (part: string, length: number): string =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length)

/** The longest of what `make` makes that is no longer than a body may be, in bytes. */
function fitting(limit: number, make: (length: number) => string): string {
  let length = limit
  let body = make(length)
  while (Buffer.byteLength(body) > limit && length > 16) {
    length = Math.floor(length * 0.8)
    body = make(length)
  }
  return body
}

/** Bodies in JSON of `limit` bytes that take as long to read and refuse as any that was found, by what is costly in them. */
export function costlyBodies(limit: number): [string, string][] {
  const ofText = COSTLY_TEXTS.flatMap((text): [string, string][] => [
    [`a name of ${text}`, fitting(limit, (length) => JSON.stringify({ [repeated(text, length)]: 1 }))],
    [
      `fields of ${text}`,
      fitting(limit, (length) => {
        const value = repeated(text, Math.floor(length / FIELDS.length))
        return JSON.stringify(Object.fromEntries(FIELDS.map((field) => [field, value])))
      }),
    ],
    [
      `a text of ${text} below another`,
      fitting(limit, (length) => JSON.stringify({ meta: { a: { b: repeated(text, length) } } })),
    ],
  ])
  const names = (count: number) => Array.from({ length: count }, (_, at) => [`n${at}`, 1])
  const many = (one: unknown) => (length: number) => {
    const count = Math.floor(length / (JSON.stringify(one).length + 1))
    return JSON.stringify({ meta: Array.from({ length: count }, () => one) })
  }
  return [
    ...ofText,
    ['many names', fitting(limit, (length) => JSON.stringify(Object.fromEntries(names(length / 9))))],
    ['as many names as may be', fitting(limit, () => JSON.stringify(Object.fromEntries(names(999))))],
    ['one name again and again', fitting(limit, (length) => `{${repeated('"a":1,', length)}"a":1}`)],
    ['card numbers in texts', fitting(limit, many('5111111111111119'))],
    ['card numbers', fitting(limit, many(5_111_111_111_111_119))],
    [
      'lists of lists',
      fitting(limit, (length) => `[${repeated(`${'['.repeat(30)}${']'.repeat(30)},`, length)}1]`),
    ],
    ['no JSON', repeated('"', limit)],
  ]
}

/** Headers of as many characters as HTTP's reader takes, each with a name that something looks at before it is known who asks. */
export function costlyHeaders(): [string, string][] {
  const long = (part: string) => repeated(part, 15_000)
  return [
    ['cookie', long('svc_session=%34;')],
    ['authorization', `Bearer ${long('a.')}`],
    ['authorization', `Bearer ${repeated('a', 4000)}.${repeated('a', 4000)}.a`],
    ['authorization', `Basic ${long('NDo0')}`],
    ['accept-encoding', long('gzip;q=0.1,')],
    ['if-none-match', long('"a",')],
    ['range', `bytes=${long('1')}`],
    ['traceparent', `00-${long('a')}`],
    ['x-request-id', long('4')],
    ['user-agent', long('\\u0034')],
    ['idempotency-key', long('4')],
    ['x-user-secret-key', long('4')],
    ['x-user-public-key', long('4')],
    ['x-forwarded-for', long('1.1.1.1,')],
    ['content-type', `application/json;${long(' a=b;')}`],
  ]
}
