import { get, HOST, post, raw, SMUGGLED, taken } from './raw-case.ts'

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
