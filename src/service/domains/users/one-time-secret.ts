import { createHash, randomBytes } from 'node:crypto'

/** A secret of 256 random bits in 43 characters that a URL and a cookie take as they are: of a session, of an invitation. */
export function createSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** What is kept of such a secret. Nobody can try all of 256 bits, so one round of SHA-256 is as safe as a slow hash. */
export function secretHashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
