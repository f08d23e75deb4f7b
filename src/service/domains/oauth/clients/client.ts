import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Scope } from '../../../../contract/api/scope.ts'
import { SECRET_PREFIX } from '../../../platform/secrets/secret-in-text.ts'

/** A program of a merchant's that may ask with access tokens. */
export interface OauthClient {
  id: string
  merchantId: string
  /** Who issues its tokens; null: the service itself, where it shows a secret for them. */
  issuer: string | null
  scopes: readonly Scope[]
  createdAt: Date
  revokedAt: Date | null
}

/** A new secret of 256 random bits, such as `cs_sandbox_…`; the environment in it keeps secrets from being mixed up. */
export function createSecret(environment: string): string {
  return `${SECRET_PREFIX.clientSecret}_${environment.replace(/_svc$/, '')}_${randomBytes(32).toString('base64url')}`
}

/** What is kept of a secret. Nobody can try all of 256 bits, so one round of SHA-256 keeps it as safe as a slow hash would. */
export function secretHashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** Compares two secrets' hashes in constant time. */
export function isSameSecret(hash: Buffer, kept: Buffer): boolean {
  return hash.length === kept.length && timingSafeEqual(hash, kept)
}

/** Ids of clients, also of those that another issuer made: what fits a header, a list and a line of a log. */
export const CLIENT_ID = /^[\x21-\x7e]{1,128}$/
