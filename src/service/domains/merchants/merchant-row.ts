import { arrayOf, bool, text } from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import type { Merchant } from './merchant.ts'

export const merchantColumns = { id: text, name: text, pre_auth: bool, allowed_origins: arrayOf(text) }

export function toMerchant(row: ValuesOf<typeof merchantColumns>): Merchant {
  const { id, name, pre_auth: preAuth, allowed_origins: allowedOrigins } = row
  return { id, name, preAuth, allowedOrigins }
}
