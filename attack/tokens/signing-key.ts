import type { TestService } from '../../src/service/testing/test-service.ts'

/** The key that signs checkout tokens, and its id. An attacker has neither; tests use it for tokens whose claims alone are wrong. */
export function signingKeyOf({ secretsFor }: TestService): { id: string; key: Buffer } {
  const [current] = secretsFor('checkout-token')
  if (current === undefined) throw new Error('there is no key to sign with')
  const [id, key] = current
  return { id, key }
}
