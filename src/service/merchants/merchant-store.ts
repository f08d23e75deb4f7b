import { statement } from '../database/database.ts'
import type { Database } from '../database/database.ts'
import type { KeyKind, KeyRecord } from './api-key.ts'
import type { Merchant, MerchantGateway } from './merchant.ts'

interface KeyRow {
  hash: Buffer
  id: string
  name: string
  pre_auth: boolean
  allowed_origins: string[]
}

interface GatewayRow {
  id: string
  name: string
  type: string
  is_default: boolean
}

const findKey = statement<KeyRow>(
  'find_merchant_key',
  `SELECT k.hash, m.id, m.name, m.pre_auth, m.allowed_origins
   FROM merchant_keys k JOIN merchants m ON m.id = k.merchant_id
   WHERE k.lookup = $1 AND k.kind = $2 AND k.revoked_at IS NULL`,
)
const findGateways = statement<GatewayRow>(
  'find_gateways',
  'SELECT id, name, type, is_default FROM gateways WHERE merchant_id = $1 ORDER BY id',
)
const addMerchant = statement(
  'add_merchant',
  'INSERT INTO merchants (id, name, pre_auth, allowed_origins) VALUES ($1, $2, $3, $4)',
)
const addGateway = statement(
  'add_gateway',
  'INSERT INTO gateways (id, merchant_id, name, type, is_default) VALUES ($1, $2, $3, $4, $5)',
)
const addKey = statement(
  'add_merchant_key',
  'INSERT INTO merchant_keys (lookup, kind, hash, merchant_id) VALUES ($1, $2, $3, $4)',
)
const anyMerchant = statement<{ id: string }>('any_merchant', 'SELECT id FROM merchants LIMIT 1')

const setPreAuth = statement<{ id: string }>(
  'set_pre_auth',
  'UPDATE merchants SET pre_auth = $2 WHERE id = $1 RETURNING id',
)

export interface NewMerchant {
  merchant: Merchant
  gateway: MerchantGateway
  keys: (KeyRecord & { kind: KeyKind })[]
}

/** Merchants, their keys and gateways in SQL. */
export interface MerchantStore {
  /** The merchant behind a key's look-up, with the hash that the key must still match. */
  findByKey: (lookup: string, kind: KeyKind) => Promise<{ merchant: Merchant; hash: Buffer } | null>
  gatewaysOf: (merchantId: string) => Promise<MerchantGateway[]>
  isEmpty: () => Promise<boolean>
  add: (merchant: NewMerchant) => Promise<void>
  /** False when there is no such merchant. */
  setPreAuth: (merchantId: string, isOn: boolean) => Promise<boolean>
}

export function createMerchantStore(database: Database): MerchantStore {
  return {
    async findByKey(lookup, kind) {
      const [row] = await database.run(findKey, [lookup, kind])
      if (row === undefined) return null
      const { hash, id, name, pre_auth: preAuth, allowed_origins: allowedOrigins } = row
      return { hash, merchant: { id, name, preAuth, allowedOrigins } }
    },
    async gatewaysOf(merchantId) {
      const rows = await database.run(findGateways, [merchantId])
      return rows.map(({ is_default: isDefault, ...gateway }) => ({ ...gateway, isDefault }))
    },
    isEmpty: async () => (await database.run(anyMerchant, [])).length === 0,
    setPreAuth: async (merchantId, isOn) => (await database.run(setPreAuth, [merchantId, isOn])).length > 0,
    add: ({ merchant, gateway, keys }) =>
      database.transaction(async (queries) => {
        await queries.run(addMerchant, [
          merchant.id,
          merchant.name,
          merchant.preAuth,
          merchant.allowedOrigins,
        ])
        await queries.run(addGateway, [
          gateway.id,
          merchant.id,
          gateway.name,
          gateway.type,
          gateway.isDefault,
        ])
        for (const key of keys) await queries.run(addKey, [key.lookup, key.kind, key.hash, merchant.id])
      }),
  }
}
