import type { KeyTable } from '../../platform/vault/wrapped-keys.ts'

/** The data keys of gateways' credentials; those of a lost master key the operator enters anew. */
export const gatewayKeys: KeyTable = {
  of: 'gateway credentials',
  table: 'gateways',
  id: 'id',
  idType: 'text',
  place: "'gateways/' || id",
  isNeeded: 'true',
}
