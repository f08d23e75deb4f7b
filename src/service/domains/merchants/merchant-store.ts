import type { Database, Queries } from '../../platform/database/database.ts'
import type { WriteEvent } from '../../platform/write-event.ts'
import { bool, bytea, arrayOf, nullable, text } from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import type { KeyKind, KeyRecord } from './api-key.ts'
import type { SealedText } from '../../platform/vault/sealed-text.ts'
import { createKeyStore } from './key-store.ts'
import type { KeyStore } from './key-store.ts'
import { createTellOfMerchant } from './merchant-events.ts'
import type { Acts } from './merchant-events.ts'
import { merchantColumns, toMerchant } from './merchant-row.ts'
import type { Merchant, MerchantGateway } from './merchant.ts'

const findMerchant = statement({
  name: 'find_merchant',
  values: { merchant_id: text },
  columns: merchantColumns,
  sql: 'SELECT id, name, pre_auth, allowed_origins FROM merchants WHERE id = :merchant_id',
})
const gatewayColumns = {
  id: text,
  name: text,
  type: text,
  is_default: bool,
  master_key_id: nullable(text),
  wrapped_data_key: nullable(bytea),
  credentials: nullable(bytea),
}
const findGateways = statement({
  name: 'find_gateways',
  values: { merchant_id: text },
  columns: gatewayColumns,
  sql: `
    SELECT id, name, type, is_default, master_key_id, wrapped_data_key, credentials FROM gateways
    WHERE merchant_id = :merchant_id ORDER BY id`,
})
const addMerchant = statement({
  name: 'add_merchant',
  values: { id: text, name: text, pre_auth: bool, allowed_origins: arrayOf(text) },
  columns: {},
  sql: `
    INSERT INTO merchants (id, name, pre_auth, allowed_origins) VALUES (:id, :name, :pre_auth, :allowed_origins)`,
})
/** A merchant's first gateway is its default. */
const addGateway = statement({
  name: 'add_gateway',
  values: { ...gatewayColumns, merchant_id: text },
  columns: { id: text },
  sql: `
    INSERT INTO gateways (id, merchant_id, name, type, is_default, master_key_id, wrapped_data_key, credentials)
    SELECT :id, id, :name, :type,
           :is_default OR NOT EXISTS (SELECT 1 FROM gateways WHERE merchant_id = :merchant_id AND is_default),
           :master_key_id, :wrapped_data_key, :credentials
    FROM merchants WHERE id = :merchant_id RETURNING id`,
})
const noDefault = statement({
  name: 'no_default_gateway',
  values: { merchant_id: text },
  columns: {},
  sql: 'UPDATE gateways SET is_default = false WHERE merchant_id = :merchant_id AND is_default',
})
const anyMerchant = statement({
  name: 'any_merchant',
  values: {},
  columns: { id: text },
  sql: 'SELECT id FROM merchants LIMIT 1',
})

const setPreAuth = (writeEvent: WriteEvent) => {
  const event = writeEvent({
    id: ':event_id',
    merchant: 'id',
    type: "'pre_auth.changed'",
    subject: 'id',
    actor: ':actor',
    facts: "jsonb_build_object('pre_auth', pre_auth)",
    from: 'changed',
  })
  return statement({
    name: 'set_pre_auth',
    values: { merchant_id: text, pre_auth: bool, event_id: text, actor: text },
    columns: { id: text },
    sql: `
      WITH changed AS (UPDATE merchants SET pre_auth = :pre_auth WHERE id = :merchant_id RETURNING id, pre_auth),
      event AS (${event}) SELECT id FROM changed`,
  })
}

/** A gateway as it is kept; the sandbox has no credentials. */
export interface StoredGateway extends MerchantGateway {
  sealed: SealedText | null
}

export interface NewMerchant {
  merchant: Merchant
  gateway: StoredGateway | null
  keys: (KeyRecord & { kind: KeyKind })[]
}

/** Merchants, their keys and gateways in SQL. */
export interface MerchantStore {
  keys: KeyStore
  find: (id: string) => Promise<Merchant | null>
  gatewaysOf: (merchantId: string) => Promise<StoredGateway[]>
  /** False when there is no such merchant. A new default takes the place of the old one. */
  addGateway: (merchantId: string, gateway: StoredGateway) => Promise<boolean>
  isEmpty: () => Promise<boolean>
  add: (merchant: NewMerchant) => Promise<void>
  /** False when there is no such merchant. */
  setPreAuth: (merchantId: string, isOn: boolean) => Promise<boolean>
}

export function createMerchantStore(database: Database, acts: Acts): MerchantStore {
  const { writeEvent, createId, actor } = acts
  const tell = createTellOfMerchant(acts)
  const keyStore = createKeyStore(database, acts)
  const changePreAuth = setPreAuth(writeEvent)
  return {
    keys: keyStore,
    async find(id) {
      const [row] = await database.run(findMerchant, { merchant_id: id })
      return row === undefined ? null : toMerchant(row)
    },
    async gatewaysOf(merchantId) {
      const rows = await database.run(findGateways, { merchant_id: merchantId })
      return rows.map(toGateway)
    },
    addGateway: (merchantId, gateway) =>
      database.transaction(async (queries) => {
        if (gateway.isDefault) await queries.run(noDefault, { merchant_id: merchantId })
        const isAdded = await writeGateway(queries, merchantId, gateway)
        const { id, name, type, isDefault: is_default } = gateway
        if (isAdded) await tell(queries, merchantId, 'gateway.added', { id, name, type, is_default })
        return isAdded
      }),
    isEmpty: async () => (await database.run(anyMerchant, {})).length === 0,
    async setPreAuth(merchantId, isOn) {
      const values = { merchant_id: merchantId, pre_auth: isOn, event_id: createId(), actor }
      return (await database.run(changePreAuth, values)).length > 0
    },
    add: ({ merchant, gateway, keys }) =>
      database.transaction(async (queries) => {
        const { id, name, preAuth: pre_auth, allowedOrigins: allowed_origins } = merchant
        await queries.run(addMerchant, { id, name, pre_auth, allowed_origins })
        if (gateway !== null) await writeGateway(queries, id, gateway)
        await tell(queries, merchant.id, 'merchant.added', { name, pre_auth, allowed_origins })
        for (const key of keys) await keyStore.add(queries, merchant.id, key)
      }),
  }
}

async function writeGateway(queries: Queries, merchantId: string, gateway: StoredGateway): Promise<boolean> {
  const { id, name, type, isDefault, sealed } = gateway
  const added = await queries.run(addGateway, {
    id,
    merchant_id: merchantId,
    name,
    type,
    is_default: isDefault,
    master_key_id: sealed?.masterKeyId ?? null,
    wrapped_data_key: sealed?.wrappedDataKey ?? null,
    credentials: sealed?.text ?? null,
  })
  return added.length > 0
}

function toGateway(row: ValuesOf<typeof gatewayColumns>): StoredGateway {
  const { id, name, type, is_default: isDefault, master_key_id: masterKeyId } = row
  const { wrapped_data_key: wrappedDataKey, credentials: text } = row
  const isSealed = masterKeyId !== null && wrappedDataKey !== null && text !== null
  return { id, name, type, isDefault, sealed: isSealed ? { masterKeyId, wrappedDataKey, text } : null }
}
