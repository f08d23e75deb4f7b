import { hkdfSync } from 'node:crypto'
import type { TestService } from '../src/service/testing/test-service.ts'

/** The key that signs checkout tokens and its id: an attacker has neither; with them, claims alone are what is wrong. */
export function signingKeyOf({ masterKeys }: TestService): { id: string; key: Buffer } {
  const { id, key } = masterKeys.current
  return { id, key: Buffer.from(hkdfSync('sha256', key, '', 'checkout-token', 32)) }
}
