import type { Database } from '../../platform/database/database.ts'
import { arrayOf, bool, text, timestamptz } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import type { NewKey } from './api-key.ts'
import { createGatewayStore } from './gateway-store.ts'
import type { GatewayStore, StoredGateway } from './gateway-store.ts'
import { createKeyStore } from './key-store.ts'
import type { KeyStore } from './key-store.ts'
import { createAddMerchantEvent } from './merchant-events.ts'
import type { Acts } from './merchant-events.ts'
import { merchantColumns, toMerchant } from './merchant-row.ts'
import type { Merchant } from './merchant.ts'

const findMerchant = statement({
  name: 'find_merchant',
  values: { merchant_id: text },
  columns: merchantColumns,
  sql: 'SELECT id, name, pre_auth, allowed_origins FROM merchants WHERE id = :merchant_id',
})
const listMerchants = statement({
  name: 'list_merchants',
  values: {},
  columns: { ...merchantColumns, created_at: timestamptz },
  sql: `
    SELECT id, name, pre_auth, allowed_origins, created_at FROM merchants ORDER BY created_at, id`,
})
const addMerchant = statement({
  name: 'add_merchant',
  values: { id: text, name: text, pre_auth: bool, allowed_origins: arrayOf(text) },
  columns: {},
  sql: `
    INSERT INTO merchants (id, name, pre_auth, allowed_origins) VALUES (:id, :name, :pre_auth, :allowed_origins)`,
})
const anyMerchant = statement({
  name: 'any_merchant',
  values: {},
  columns: { id: text },
  sql: 'SELECT id FROM merchants LIMIT 1',
})
const setPreAuth = statement({
  name: 'set_pre_auth',
  values: { merchant_id: text, pre_auth: bool },
  columns: { id: text },
  sql: 'UPDATE merchants SET pre_auth = :pre_auth WHERE id = :merchant_id RETURNING id',
})
const renameMerchant = statement({
  name: 'rename_merchant',
  values: { merchant_id: text, name: text },
  columns: merchantColumns,
  sql: `
    UPDATE merchants SET name = :name WHERE id = :merchant_id RETURNING id, name, pre_auth, allowed_origins`,
})
const setOrigins = statement({
  name: 'set_allowed_origins',
  values: { merchant_id: text, allowed_origins: arrayOf(text) },
  columns: merchantColumns,
  sql: `
    UPDATE merchants SET allowed_origins = :allowed_origins WHERE id = :merchant_id
    RETURNING id, name, pre_auth, allowed_origins`,
})

export interface NewMerchant {
  merchant: Merchant
  gateway: StoredGateway | null
  keys: NewKey[]
}

/** Merchants, their keys and gateways in SQL; what changes them is an event in the same transaction. */
export interface MerchantStore {
  keys: KeyStore
  gateways: GatewayStore
  find: (id: string) => Promise<Merchant | null>
  /** All of them, oldest first. */
  list: () => Promise<(Merchant & { createdAt: Date })[]>
  isEmpty: () => Promise<boolean>
  add: (merchant: NewMerchant) => Promise<void>
  /** False when there is no such merchant. */
  setPreAuth: (merchantId: string, isOn: boolean) => Promise<boolean>
  /** The merchant after it; null when there is none. */
  rename: (merchantId: string, name: string) => Promise<Merchant | null>
  setOrigins: (merchantId: string, origins: readonly string[]) => Promise<Merchant | null>
}

export function createMerchantStore(database: Database, acts: Acts): MerchantStore {
  const addEvent = createAddMerchantEvent(acts)
  const keyStore = createKeyStore(database, addEvent)
  const gateways = createGatewayStore(database, addEvent)
  return {
    keys: keyStore,
    gateways,
    async find(id) {
      const [row] = await database.run(findMerchant, { merchant_id: id })
      return row === undefined ? null : toMerchant(row)
    },
    list: async () =>
      (await database.run(listMerchants, {})).map((row) => ({
        ...toMerchant(row),
        createdAt: row.created_at,
      })),
    isEmpty: async () => (await database.run(anyMerchant, {})).length === 0,
    setPreAuth: (merchantId, isOn) =>
      database.transaction(async (queries) => {
        const changed = await queries.run(setPreAuth, { merchant_id: merchantId, pre_auth: isOn })
        if (changed.length > 0) await addEvent(queries, merchantId, 'pre_auth.changed', { pre_auth: isOn })
        return changed.length > 0
      }),
    rename: (merchantId, name) =>
      database.transaction(async (queries) => {
        const [row] = await queries.run(renameMerchant, { merchant_id: merchantId, name })
        if (row === undefined) return null
        await addEvent(queries, merchantId, 'merchant.renamed', { name })
        return toMerchant(row)
      }),
    setOrigins: (merchantId, origins) =>
      database.transaction(async (queries) => {
        const allowed_origins = [...origins]
        const [row] = await queries.run(setOrigins, { merchant_id: merchantId, allowed_origins })
        if (row === undefined) return null
        await addEvent(queries, merchantId, 'origins.changed', { allowed_origins })
        return toMerchant(row)
      }),
    add: ({ merchant, gateway, keys }) =>
      database.transaction(async (queries) => {
        const { id, name, preAuth: pre_auth, allowedOrigins: allowed_origins } = merchant
        await queries.run(addMerchant, { id, name, pre_auth, allowed_origins })
        if (gateway !== null) await gateways.addFirst(queries, id, gateway)
        await addEvent(queries, merchant.id, 'merchant.added', { name, pre_auth, allowed_origins })
        for (const key of keys) await keyStore.add(queries, merchant.id, key)
      }),
  }
}
