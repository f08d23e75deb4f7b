import { createDecipheriv, hkdfSync } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../platform/database/database.ts'
import { testStatement } from './test-statement.ts'

/** What an attacker has who has copied the disk, the database and the master key. */
export interface DiskCopy {
  files: readonly { path: string; bytes: Buffer }[]
  /** Every text in the rows that have to do with a card. */
  words: readonly string[]
  masterKeys: readonly Buffer[]
}

export interface StolenCard {
  number: string
  code: string
}

/** What PostgreSQL writes of one sealed card, one value after the other, into tables and write-ahead log. */
interface SealedBytes {
  path: string
  wrapped: Buffer
  number: Buffer
  code: Buffer
}

const TABLES = ['payment_source_tokens', 'charges', 'attempts', 'checkout_intents', 'events']

/** Copies all files below a folder, and all texts of a database's rows. */
export async function copyDisk(folder: string, database: Database, masterKeys: Buffer[]): Promise<DiskCopy> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => ({ path, bytes: wholeRecords(path, readFileSync(path)) }))
  const words = new Set<string>()
  for (const table of TABLES) {
    const all = testStatement<{ row: unknown }>(
      `t_loot_${table}`,
      `SELECT to_jsonb(t) AS row FROM ${table} t`,
    )
    for (const { row } of await database.run(all, [])) addTexts(row, words)
  }
  return { files, words: [...words], masterKeys }
}

const PAGE = 8192

/** A write-ahead log without the headers of its pages (40 bytes of the first, 24 of others), which would cut records in two. */
function wholeRecords(path: string, bytes: Buffer): Buffer {
  if (!path.includes('pg_wal')) return bytes
  const pages = Array.from({ length: Math.ceil(bytes.length / PAGE) }, (_, page) =>
    bytes.subarray(page * PAGE + (page === 0 ? 40 : 24), (page + 1) * PAGE),
  )
  return Buffer.concat(pages)
}

/** The sealed cards in files: each is an AES-256-GCM sealed data key, number and code (IV, tag, ciphertext). */
export function sealedCardsIn(files: DiskCopy['files']): SealedBytes[] {
  return files.flatMap(({ path, bytes }) => {
    const found: SealedBytes[] = []
    // A short value has one byte before it: its length with that byte, doubled and one more.
    for (let at = bytes.indexOf(lengthByte(60)); at >= 0; at = bytes.indexOf(lengthByte(60), at + 1)) {
      const [wrapped, number, code] = [at + 1, at + 62, at + 62 + 45]
      if (bytes[number - 1] !== lengthByte(44) || bytes[code - 1] !== lengthByte(31)) continue
      const part = (from: number, length: number) => bytes.subarray(from, from + length)
      found.push({ path, wrapped: part(wrapped, 60), number: part(number, 44), code: part(code, 31) })
    }
    return found
  })
}

/**
 * Tries to open every sealed card with every master key, bound to every place that the rows could name, with the data
 * key as it is and with every text of the copy (and of `tokens`) as a second part of the key.
 */
export function openAll(
  { files, words, masterKeys }: DiskCopy,
  tokens: readonly string[] = [],
): StolenCard[] {
  const places = words.flatMap((one) => words.map((other) => `${one}/${other}`))
  return [...sealedByKey(files).values()].flatMap((copies) => {
    for (const place of places) {
      for (const masterKey of masterKeys) {
        const dataKey = open(masterKey, copies[0].wrapped, `${place}/data-key`)
        if (dataKey === null) continue
        const secrets = [...words, ...tokens]
        const keys = [dataKey, ...secrets.map((secret) => withSecret(dataKey, secret, place))]
        for (const { key, number, code } of keys.flatMap((key) => copies.map((copy) => ({ ...copy, key })))) {
          const [card, ccv] = [open(key, number, `${place}/number`), open(key, code, `${place}/code`)]
          if (card !== null && ccv !== null) return [{ number: card.toString(), code: ccv.toString() }]
        }
      }
    }
    return []
  })
}

/** How many data keys of sealed cards the master keys open. It shows that the search finds cards and that opening works. */
export function openedDataKeys({ files, words, masterKeys }: DiskCopy): number {
  const places = words.flatMap((one) => words.map((other) => `${one}/${other}`))
  return [...sealedByKey(files).values()].filter(([{ wrapped }]) =>
    places.some((place) => masterKeys.some((key) => open(key, wrapped, `${place}/data-key`) !== null)),
  ).length
}

/** The files that contain a text in any of its usual encodings. */
export function filesWith(text: string, files: DiskCopy['files']): string[] {
  const bare = text.replaceAll('-', '')
  const base64 = [Buffer.from(text), Buffer.from(bare, 'hex')].flatMap(inBase64)
  const forms = [
    ...[text, bare, text.toUpperCase(), ...base64].map((form) => Buffer.from(form)),
    Buffer.from(text, 'utf16le'),
    Buffer.from(bare, 'hex'),
    Buffer.from(Buffer.from(text).toString('hex')),
  ]
  return files.filter(({ bytes }) => forms.some((form) => bytes.includes(form))).map(({ path }) => path)
}

/** The base64 of bytes at each of the three possible offsets, without characters that neighbouring bytes influence. */
function inBase64(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    return text.slice(before === 0 ? 0 : 4, -4)
  })
}

function lengthByte(length: number): number {
  return ((length + 1) << 1) | 1
}

function withSecret(dataKey: Buffer, secret: string, place: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.concat([dataKey, Buffer.from(secret)]), '', place, 32))
}

function open(key: Buffer, sealed: Buffer, context: string): Buffer | null {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 })
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(12, 28))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()])
  } catch {
    return null
  }
}

/** The copies of each sealed card, by its data key: one that a page's end cuts in two can't be opened, and another can. */
function sealedByKey(files: DiskCopy['files']): Map<string, [SealedBytes, ...SealedBytes[]]> {
  const byKey = new Map<string, [SealedBytes, ...SealedBytes[]]>()
  for (const one of sealedCardsIn(files)) {
    const key = one.wrapped.toString('hex')
    const copies = byKey.get(key)
    if (copies === undefined) byKey.set(key, [one])
    else if (!copies.some(({ number, code }) => number.equals(one.number) && code.equals(one.code)))
      copies.push(one)
  }
  return byKey
}

function addTexts(value: unknown, words: Set<string>): void {
  if (typeof value === 'string') words.add(value.replace(/^\\x/, ''))
  if (typeof value !== 'object' || value === null) return
  for (const one of Object.values(value)) addTexts(one, words)
}
