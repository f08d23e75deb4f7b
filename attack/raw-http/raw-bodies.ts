import { chunked, post, raw, SMUGGLED, taken } from './raw-case.ts'

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
