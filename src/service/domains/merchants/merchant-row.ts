import type { Merchant } from './merchant.ts'

export interface MerchantRow {
  id: string
  name: string
  pre_auth: boolean
  allowed_origins: string[]
}

export function toMerchant(row: MerchantRow): Merchant {
  const { id, name, pre_auth: preAuth, allowed_origins: allowedOrigins } = row
  return { id, name, preAuth, allowedOrigins }
}
