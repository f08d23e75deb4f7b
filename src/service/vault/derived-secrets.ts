import { hkdfSync } from 'node:crypto'
import type { MasterKeys } from './master-keys.ts'

/** A secret for one purpose of each master key (HKDF-SHA256, RFC 5869), that of the current one first. */
export function derivedSecrets({ current, ids, byId }: MasterKeys, purpose: string): [Buffer, ...Buffer[]] {
  const others = ids.flatMap((id) => (id === current.id ? [] : [byId(id) ?? current.key]))
  return [derive(current.key, purpose), ...others.map((key) => derive(key, purpose))]
}

function derive(master: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, '', purpose, 32))
}
