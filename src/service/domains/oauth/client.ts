import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Scope } from '../../../contract/api/scope.ts'
import { SECRET_PREFIX } from '../../platform/secrets/secret-in-text.ts'

/** A program of a merchant that may ask with access tokens. */
export interface OauthClient {
  id: string
  merchantId: string
  /** The issuer of its tokens; null if that is the service itself, which then keeps its secrets. */
  issuer: string | null
  scopes: readonly Scope[]
  createdAt: Date
  revokedAt: Date | null
}

/** A new secret of 256 random bits, such as `cs_sandbox_…`; the environment in it keeps secrets from being mixed up. */
export function createSecret(environment: string): string {
  return `${SECRET_PREFIX.clientSecret}_${environment.replace(/_svc$/, '')}_${randomBytes(32).toString('base64url')}`
}

/** The hash that is kept of a secret. Nobody can try all of 256 bits, so one round of SHA-256 is as safe as a slow hash. */
export function secretHashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** Compares two secrets' hashes in constant time. */
export function isSameSecret(hash: Buffer, kept: Buffer): boolean {
  return hash.length === kept.length && timingSafeEqual(hash, kept)
}

/** Ids of clients, another issuer's too: what fits a header, a list and a line of a log. */
export const CLIENT_ID = /^[\x21-\x7e]{1,128}$/
