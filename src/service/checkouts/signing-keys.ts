import { hkdfSync } from 'node:crypto'
import type { MasterKeys } from '../vault/master-keys.ts'

/** Keys that sign the tokens of checkouts: the current one signs, every known one verifies. */
export interface SigningKeys {
  current: { id: string; key: Uint8Array }
  byId: (id: string) => Uint8Array | undefined
}

/**
 * One signing key per master key, derived by HKDF-SHA256 (RFC 5869) and named alike: who rotates `SVC_VAULT_KEYS` rotates
 * these, and a master key itself signs nothing.
 */
export function signingKeysOf({ current, byId }: MasterKeys): SigningKeys {
  return {
    current: { id: current.id, key: derive(current.key) },
    byId: (id) => {
      const master = byId(id)
      return master === undefined ? undefined : derive(master)
    },
  }
}

function derive(master: Buffer): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', master, '', 'checkout-token', 32))
}
