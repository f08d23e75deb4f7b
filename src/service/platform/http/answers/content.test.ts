import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { compressibleContentOf, acceptedCompression } from './content.ts'

const plain = Buffer.from('var svc={}'.repeat(100))
const content = () => compressibleContentOf(plain, { brotliQuality: 11 })

it.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)('a copy in %s is smaller, and holds the same', async (compression, plainOf) => {
  const copy = await content().copyIn?.(compression)
  expect(copy?.length).toBeLessThan(plain.length)
  expect(plainOf(copy ?? '').equals(plain)).toBe(true)
})

it('a copy is made once, also for those who ask at the same time', async () => {
  const { copyIn } = content()
  const copies = await Promise.all([copyIn?.('br'), copyIn?.('br')])
  expect(copies[1]).toBe(copies[0])
  expect(await copyIn?.('br')).toBe(copies[0])
})

it('while two copies are being made, others are served plain; afterwards they are made too', async () => {
  const [one, two, three] = [content(), content(), content()]
  const making = [one.copyIn?.('br'), two.copyIn?.('br')]
  expect(three.copyIn?.('br')).toBe(null)
  expect(one.copyIn?.('br')).toBe(making[0])
  for (const copy of making) await copy
  expect(brotliDecompressSync((await three.copyIn?.('br')) ?? '').equals(plain)).toBe(true)
})

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
