import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { LISTS } from '../../../card/testing/random-lists.ts'
import { oneOf, REFERENCES, seeded, upTo } from '../../../card/testing/random-references.ts'
import type { MakeReference, Random } from '../../../card/testing/random-references.ts'
import { secretIn } from './secret-in-text.ts'

/** Of all shapes together; `npm run references` tries a million of these, too. */
const COUNT = Number(process.env['REFERENCES'] ?? 4000)
const random = seeded(Number(process.env['REFERENCES_SEED'] ?? 20_261_126))

const bytes = (next: Random, count: number) =>
  Buffer.from(Array.from({ length: count }, () => upTo(next, 256)))
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** What looks most like a secret of ours: UUIDs, random bytes, and what other systems give out. */
const LIKE_SECRETS: Readonly<Record<string, MakeReference>> = {
  'UUID of version 1, 4 or 7': (next) => {
    const hex = bytes(next, 16).toString('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${oneOf(next, ['1', '4', '7'])}${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
  },
  'two UUIDs': (next) => {
    const hex = bytes(next, 32).toString('hex')
    return hex.replace(/(.{8})(.{4}).(.{3})(.{4})(.{12})/g, '$1-$2-4$3-$4-$5 ')
  },
  'hash in hex': (next) =>
    createHash(oneOf(next, ['md5', 'sha1', 'sha256']))
      .update(bytes(next, 8))
      .digest('hex'),
  'random bytes in base64': (next) => bytes(next, 16 + upTo(next, 48)).toString('base64'),
  'random bytes in base64url': (next) => bytes(next, 16 + upTo(next, 48)).toString('base64url'),
  'key of another system': (next) =>
    oneOf(next, ['sk_live_', 'pk_test_', 'rk_live_', 'tok_', 'pi_', 'cs_test_', 'pk_sandbox_']) +
    bytes(next, 24).toString('base64url'),
  'what ends like a prefix, and a hash, an id or a time': (next) =>
    oneOf(next, ['task_', 'disk_', 'docs_', 'analytics_', 'CS ', 'cs ', 'logistics.']) +
    oneOf(next, ['production_', 'staging_', 'sandbox_', 'production: ']) +
    oneOf(next, [
      bytes(next, 16).toString('hex'),
      bytes(next, 20).toString('hex').toUpperCase(),
      `01${Array.from(bytes(next, 24), (byte) => '0123456789ABCDEFGHJKMNPQRSTVWXYZ'.charAt(byte & 31)).join('')}`,
      `2026-11-26T10:00:00Z order A${upTo(next, 1e9)} of the shop`,
      'OrderConfirmationEmailWorker',
    ]),
  'JWT of another system': (next) =>
    `${base64({ alg: 'RS256', typ: 'JWT', kid: bytes(next, 4).toString('hex') })}.${base64({ iss: 'https://shop.example', aud: 'checkout', sub: bytes(next, 8).toString('hex') })}.${bytes(next, 64).toString('base64url')}`,
  'order as JSON': (next) =>
    JSON.stringify({
      id: bytes(next, 16).toString('hex'),
      session: bytes(next, 16).toString('base64'),
      sku: `sk-${upTo(next, 1e6)}`,
    }),
}
const SHAPES = Object.entries({ ...REFERENCES, ...LISTS, ...LIKE_SECRETS })

it(`of ${COUNT} references none is mistaken for a secret`, { timeout: 600_000 }, () => {
  const mistaken: string[] = []
  for (const [, make] of SHAPES)
    for (let turn = 0; turn < COUNT / SHAPES.length; turn += 1) {
      const text = make(random)
      if (secretIn(text) !== null) mistaken.push(text)
    }
  expect(mistaken).toEqual([])
})
