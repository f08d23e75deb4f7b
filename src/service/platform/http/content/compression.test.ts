import { expect, it } from 'vitest'
import { acceptedCompression } from './compression.ts'

it.each([
  [undefined, null],
  ['', null],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['GZIP', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br; q=0.000 ,gzip;q=0', null],
  ['br;q=0.1, gzip;q=0.9', 'br'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['*;q=0', null],
  ['br;q=none', null],
  ['brotli, x-gzip', null],
  ['identity', null],
  ['identity;q=0', null],
])('Accept-Encoding %j allows %s', (accepted, compression) =>
  expect(acceptedCompression(accepted)).toBe(compression),
)
