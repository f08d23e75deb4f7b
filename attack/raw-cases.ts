/** Bytes on a connection, and what must become of them. */
export interface RawCase {
  name: string
  bytes: Buffer
  /**
   * `refused`: one answer from 400 on, in the envelope, or none, and the connection ends. `answered`: as many answers in
   * the envelope as `requests`, none of them the service's own fault. `waits`: none, since more was announced than came.
   */
  expect: 'refused' | 'answered' | 'waits'
  requests: number
}

type Expected = Partial<Pick<RawCase, 'expect' | 'requests'>>

const raw = (name: string, text: string, { expect = 'refused', requests = 1 }: Expected = {}): RawCase => ({
  name,
  // latin1 makes one byte of each character, so that a case can contain any byte.
  bytes: Buffer.from(text, 'latin1'),
  expect,
  requests,
})

/** A route that asks for no key: elsewhere nothing of a body is looked at without one. */
const POST = `POST /sandbox/bank/agreements/${'a'.repeat(24)}/answers HTTP/1.1\r\n`
const HOST = 'host: service\r\n'
const SMUGGLED = 'GET /v1/smuggled HTTP/1.1\r\nhost: service\r\n\r\n'
const post = (headers: string, body: string) =>
  `${POST}${HOST}content-type: application/json\r\n${headers}\r\n${body}`
const get = (headers: string, target = '/v1/charges') => `GET ${target} HTTP/1.1\r\n${HOST}${headers}\r\n`
const taken = { expect: 'answered' } as const
const chunked = 'transfer-encoding: chunked\r\n'

/** Two ways to say how long a body is: a proxy that believes the other one sees another request behind it. */
export const smuggling = [
  raw('CL.TE', post(`content-length: ${String(5 + SMUGGLED.length)}\r\n${chunked}`, `0\r\n\r\n${SMUGGLED}`)),
  raw('TE.CL', post(`${chunked}content-length: 4\r\n`, `5c\r\n${SMUGGLED}\r\n0\r\n\r\n`)),
  raw('CL.CL, another', post('content-length: 2\r\ncontent-length: 60\r\n', `{}${SMUGGLED}`)),
  raw('CL.CL, the same', post('content-length: 2\r\ncontent-length: 2\r\n', '{}')),
  raw('CL as a list', post('content-length: 2, 2\r\n', '{}')),
  ...[
    'xchunked',
    'chunked, identity',
    'identity, chunked, x',
    'chunked chunked',
    '"chunked"',
    'identity',
    'gzip',
    ', chunked,x',
    'chunked\x00',
  ].map((coding) =>
    raw(`TE ${JSON.stringify(coding)}`, post(`transfer-encoding: ${coding}\r\n`, `0\r\n\r\n${SMUGGLED}`)),
  ),
  raw('TE.TE', post(`${chunked}transfer-encoding: x\r\n`, `0\r\n\r\n${SMUGGLED}`)),
  raw('TE with a space before the colon', post('transfer-encoding : chunked\r\n', `0\r\n\r\n${SMUGGLED}`)),
  raw('TE behind a folded line', post('x: y\r\n transfer-encoding: chunked\r\n', `0\r\n\r\n${SMUGGLED}`)),
  raw('TE behind a bare LF', post('x: y\ntransfer-encoding: chunked\r\n', `0\r\n\r\n${SMUGGLED}`)),
  raw('TE behind a bare CR', post('x: y\rtransfer-encoding: chunked\r\n', `0\r\n\r\n${SMUGGLED}`)),
  raw('TE in HTTP/1.0', post(chunked, `0\r\n\r\n${SMUGGLED}`).replace('HTTP/1.1', 'HTTP/1.0')),
  ...[
    '-1',
    '+2',
    '0x2',
    '2.0',
    '2e0',
    ' ',
    '2 2',
    '９',
    '99999999999999999999',
    '18446744073709551618',
    'two',
    '2\x0b',
  ].map((length) =>
    raw(`CL ${JSON.stringify(length)}`, post(`content-length: ${length}\r\n`, `{}${SMUGGLED}`)),
  ),
]

/** Sizes of chunks, and what stands around them. */
export const chunks = [
  ...[
    '-1',
    '+2',
    '0x2',
    'g',
    '',
    ' 2',
    '2 ',
    '2\x00',

    '10000000000000000',

    '2;\x00',
    '2;a=\nb',
    `2;${'a'.repeat(20_000)}`,
  ].map((size) =>
    raw(
      `chunk of ${JSON.stringify(size).slice(0, 30)}`,
      post(chunked, `${size}\r\n{}\r\n0\r\n\r\n${SMUGGLED}`),
    ),
  ),
  ...['ffffffffffffffff', '100000000'].map((size) =>
    raw(`chunk of ${size}`, post(chunked, `${size}\r\n{}\r\n0\r\n\r\n${SMUGGLED}`), { expect: 'waits' }),
  ),
  raw('chunk longer than it says', post(chunked, `1\r\n{}\r\n0\r\n\r\n`)),
  raw('chunk ended by a bare LF', post(chunked, `2\n{}\n0\n\n${SMUGGLED}`)),
  raw('a trailer with a length', post(chunked, '2\r\n{}\r\n0\r\ncontent-length: 5\r\n\r\n'), taken),
  raw('chunks that are right', post(chunked, '2\r\n{}\r\n0\r\n\r\n'), taken),
]

/** The request line. */
export const firstLines = [
  ...['GET', 'get', 'GE T', 'G\x00T', 'PRI', 'CONNECT', 'FOO', '', '\x16\x03\x01\x02', 'GET\t', '{}'].map(
    (method) =>
      method === 'GET'
        ? raw('a GET that is right', get(''), taken)
        : raw(`method ${JSON.stringify(method)}`, `${method} /v1/charges HTTP/1.1\r\n${HOST}\r\n`),
  ),
  ...[
    'HTTP/0.9',
    'HTTP/1.2',
    'HTTP/2.0',
    'HTTP/3',
    'http/1.1',
    'HTTP/1.1.1',
    'HTTP/11',
    'HTTPS/1.1',
    'ICY/1.1',
    '',
  ].map((version) => raw(`version ${JSON.stringify(version)}`, `GET /v1/charges ${version}\r\n${HOST}\r\n`)),
  ...[
    '*',
    '//',
    '//evil.example/v1/charges',
    'http://evil.example/v1/charges',
    'http://service/v1/charges',
    'https://a@b:1/v1',
    '/../../etc/passwd',
    '/%2e%2e/%2e%2e/etc',
    '/v1/charges/%',
    '/v1/charges/%zz',
    '/%00',
    '/v1/charges?%',
    '/v1/charges#x',
    '/v1;x=1/charges',
    '/v1\\charges',
    '/é',
    'v1/charges',
    `/${'a'.repeat(10_000)}`,
    `/v1/charges?${'a=1&'.repeat(3000)}`,
  ].map((target) => raw(`target ${JSON.stringify(target).slice(0, 40)}`, get('', target), taken)),
  raw('a control character in the target', get('', '/v1/\x01charges')),
  raw('a NUL in the target', get('', '/v1/\x00charges')),
  raw('a target with a space', get('', '/v1/ charges')),
  raw('a target of 17 kB', get('', `/${'a'.repeat(17_000)}`)),
]

/** Headers, Host among them (RFC 9112, section 3.2). */
export const headers = [
  raw('no Host', 'GET /v1/charges HTTP/1.1\r\n\r\n'),
  raw('two Hosts', 'GET /v1/charges HTTP/1.1\r\nhost: service\r\nhost: evil.example\r\n\r\n'),
  raw('the same Host twice', 'GET /v1/charges HTTP/1.1\r\nhost: service\r\nHost: service\r\n\r\n'),
  raw('Expect that nobody knows', post('expect: foo\r\ncontent-length: 2\r\n', '{}'), taken),
  raw('a folded line', get('x: y\r\n z: w\r\n')),
  raw('a line without a colon', get('nonsense\r\n')),
  raw('a line without a name', get(': x\r\n')),
  raw('a space in a name', get('x y: z\r\n')),
  raw('a space before the colon', get('x-user-secret-key : z\r\n')),
  raw('a NUL in a name', get('x\x00y: z\r\n')),
  raw('a NUL in a value', get('x: a\x00b\r\n')),
  raw('a control character in a value', get('x: a\x01b\r\n')),
  raw('a bare CR in a value', get('x: a\rb\r\n')),
  raw('a bare LF that ends the headers', `GET /v1/charges HTTP/1.1\r\n${HOST}x: y\n\n${SMUGGLED}`),
  raw('high bytes in a name', get('\xe9\xff: z\r\n')),
  raw('a header of 17 kB', get(`x: ${'a'.repeat(17_000)}\r\n`)),
  raw('17 kB of headers', get(`x: ${'a'.repeat(64)}\r\n`.repeat(300))),
  raw(
    'an upgrade to what nobody speaks',
    get('connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n'),
    taken,
  ),
  raw(
    'an upgrade to HTTP/2',
    get('connection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n'),
    taken,
  ),
]

/** Several requests on one connection, half a request, and what is no request at all. */
export const connections = [
  raw('three in a row', get('') + get('') + get(''), { expect: 'answered', requests: 3 }),
  raw('a right one, then nonsense', `${get('')}nonsense\r\n\r\n`, { expect: 'refused', requests: 2 }),
  raw('empty lines before it', `\r\n\r\n${get('')}`, taken),
  raw('a GET with a body', get('content-length: 2\r\n') + '{}', taken),
  raw('a body longer than it may be', post('content-length: 70000\r\n', 'x'.repeat(70_000)), taken),
  raw('TLS', '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03' + '\x00'.repeat(160)),
  raw('an SSH client', 'SSH-2.0-OpenSSH_9.2\r\n'),
  raw('a proxy header', 'PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\n' + get('')),
  raw('an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  raw('NULs', '\x00'.repeat(2000)),
]
