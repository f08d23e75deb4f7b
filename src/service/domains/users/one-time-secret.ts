import { createHash, randomBytes } from 'node:crypto'
import { SECRET_PREFIX } from '../../platform/secrets/secret-in-text.ts'

/**
 * A secret of 256 random bits that a URL and a cookie take as it is: of a session, of an invitation. By what it begins with it is
 * found where it must not stand.
 */
export function createSecret(of: 'session' | 'invitation'): string {
  return `${SECRET_PREFIX[of]}_${randomBytes(32).toString('base64url')}`
}

/** What is kept of such a secret. Nobody can try all of 256 bits, so one round of SHA-256 is as safe as a slow hash. */
export function secretHashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
