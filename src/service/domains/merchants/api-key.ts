import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { SECRET_PREFIX } from '../../platform/secrets/secret-in-text.ts'

/** Public keys show the widget and tokenise; secret keys do everything that a server does (contract §2). */
export type KeyKind = 'public' | 'secret'

/** What finds and checks a key. Nobody can use the key by it. */
interface KeyRecord {
  /** The first 8 bytes of the hash, in hex: what the index holds. */
  id: string
  hash: Buffer
}

/** A new key, as it is stored. */
export interface NewKey extends KeyRecord {
  kind: KeyKind
  /** A public key itself, which its pages show anyway, so that the merchant can look it up. Null for a secret one. */
  shown: string | null
}

const PREFIX = { public: 'pk', secret: SECRET_PREFIX.secretKey } as const

/** A new key of 192 random bits, such as `sk_sandbox_…`. Its environment keeps people from mixing up keys. */
export function createKey(kind: KeyKind, environment: string): string {
  return `${PREFIX[kind]}_${environment.replace(/_svc$/, '')}_${randomBytes(24).toString('base64url')}`
}

/** A key is random enough that one round of SHA-256 keeps it safe. */
export function keyRecordOf(key: string): KeyRecord {
  const hash = createHash('sha256').update(key).digest()
  return { id: hash.subarray(0, 8).toString('hex'), hash }
}

export function newKeyOf(key: string, kind: KeyKind): NewKey {
  return { ...keyRecordOf(key), kind, shown: kind === 'public' ? key : null }
}

/** Compares two records' hashes in constant time. */
export function isSameKey({ hash }: Pick<KeyRecord, 'hash'>, kept: Pick<KeyRecord, 'hash'>): boolean {
  return hash.length === kept.hash.length && timingSafeEqual(hash, kept.hash)
}
