import { createHash, randomBytes } from 'node:crypto'
import { SECRET_PREFIX } from '../../platform/secrets/secret-in-text.ts'

/**
 * The token of a session or an invitation: 256 random bits, fit for a URL and a cookie. Its prefix lets us find it where it must
 * not be.
 */
export function createSecret(of: 'session' | 'invitation'): string {
  return `${SECRET_PREFIX[of]}_${randomBytes(32).toString('base64url')}`
}

/** The hash that is kept of a token. Nobody can try 256 bits, so one round of SHA-256 is as safe as a slow hash. */
export function secretHashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
