import { createHmac } from 'node:crypto'
import * as v from 'valibot'

/** What forgeries are made from: a valid token, and the key that signed it, for tokens whose claims alone are wrong. */
export interface Forge {
  token: string
  key: Buffer
  /** Texts that an attacker knows and might find used as a key. */
  publicTexts: readonly string[]
  nowSeconds: number
}

export interface Forgery {
  name: string
  token: string
}

type Part = Readonly<Record<string, unknown>>

/** A token taken apart: its first two parts decoded, and all three as they are written. */
export interface Parts {
  header: Part
  claims: Part
  head: string
  body: string
  signature: string
}

export function partsOf(token: string): Parts {
  const [head = '', body = '', signature = ''] = token.split('.')
  return { header: decoded(head), claims: decoded(body), head, body, signature }
}

function decoded(part: string): Part {
  return v.parse(v.record(v.string(), v.unknown()), JSON.parse(Buffer.from(part, 'base64url').toString()))
}

export function encoded(part: unknown): string {
  return Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')
}

export function hmac(input: string, key: Buffer | string, hash = 'sha256'): string {
  return createHmac(hash, key).update(input).digest('base64url')
}

/** A token of any header and claims under any key. */
export function signed(header: unknown, claims: unknown, key: Buffer | string, hash?: string): string {
  const input = `${encoded(header)}.${encoded(claims)}`
  return `${input}.${hmac(input, key, hash)}`
}
