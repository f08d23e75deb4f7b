import type { KeyTable } from '../../platform/vault/wrapped-keys.ts'

/** Where a gateway's credentials are kept, bound to what is sealed. */
export function credentialsPlaceOf(gatewayId: string): string {
  return `gateways/${gatewayId}`
}

/** The data keys of gateways' credentials; those of a lost master key are entered again by the operator. */
export const gatewayKeys: KeyTable = {
  of: 'gateway credentials',
  table: 'gateways',
  id: 'id',
  idType: 'text',
  merchantId: 'merchant_id',
  name: 'id',
  placeOf: ({ name }) => credentialsPlaceOf(name),
  isNeeded: 'true',
}
