import { expect, it } from 'vitest'
import { encodingFor } from './encoding.ts'
import type { Encoding } from './encoding.ts'

it.each<[accepted: string | undefined, there: Encoding[], encoding: Encoding]>([
  [undefined, ['br', 'gzip'], 'identity'],
  ['', ['br', 'gzip'], 'identity'],
  ['gzip, deflate, br, zstd', ['br', 'gzip'], 'br'],
  ['gzip, deflate, br', ['gzip'], 'gzip'],
  ['gzip, deflate', ['br', 'gzip'], 'gzip'],
  ['GZIP', ['br', 'gzip'], 'gzip'],
  ['br', [], 'identity'],
  ['br;q=0, gzip', ['br', 'gzip'], 'gzip'],
  ['br; q=0.000 ,gzip;q=0', ['br', 'gzip'], 'identity'],
  ['br;q=0.1, gzip;q=0.9', ['br', 'gzip'], 'br'],
  ['*', ['br', 'gzip'], 'br'],
  ['br;q=0, *', ['br', 'gzip'], 'gzip'],
  ['*;q=0', ['br', 'gzip'], 'identity'],
  ['br;q=none', ['br'], 'identity'],
  ['brotli, x-gzip', ['br', 'gzip'], 'identity'],
  ['identity;q=0', [], 'identity'],
])('Accept-Encoding %j with %j there: %s', (accepted, there, encoding) => {
  expect(encodingFor(accepted, (one) => there.includes(one))).toBe(encoding)
})
