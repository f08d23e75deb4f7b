import { statement } from '../../platform/database/database.ts'
import type { Database, Queries } from '../../platform/database/database.ts'
import type { KeyKind, KeyRecord } from './api-key.ts'
import type { SealedText } from '../../platform/vault/sealed-text.ts'
import type { WriteEvent } from '../../platform/write-event.ts'
import { createKeyStore } from './key-store.ts'
import type { KeyStore } from './key-store.ts'
import { createTellOfMerchant } from './merchant-events.ts'
import type { Acts } from './merchant-events.ts'
import { toMerchant } from './merchant-row.ts'
import type { MerchantRow } from './merchant-row.ts'
import type { Merchant, MerchantGateway } from './merchant.ts'

interface GatewayRow {
  id: string
  name: string
  type: string
  is_default: boolean
  master_key_id: string | null
  wrapped_data_key: Buffer | null
  credentials: Buffer | null
}

const findMerchant = statement<MerchantRow>(
  'find_merchant',
  'SELECT id, name, pre_auth, allowed_origins FROM merchants WHERE id = $1',
)
const findGateways = statement<GatewayRow>(
  'find_gateways',
  `SELECT id, name, type, is_default, master_key_id, wrapped_data_key, credentials FROM gateways
   WHERE merchant_id = $1 ORDER BY id`,
)
const addMerchant = statement(
  'add_merchant',
  'INSERT INTO merchants (id, name, pre_auth, allowed_origins) VALUES ($1, $2, $3, $4)',
)
/** A merchant's first gateway is its default. */
const addGateway = statement<{ id: string }>(
  'add_gateway',
  `INSERT INTO gateways (id, merchant_id, name, type, is_default, master_key_id, wrapped_data_key, credentials)
   SELECT $1, id, $3, $4, $5 OR NOT EXISTS (SELECT 1 FROM gateways WHERE merchant_id = $2 AND is_default), $6, $7, $8
   FROM merchants WHERE id = $2 RETURNING id`,
)
const noDefault = statement(
  'no_default_gateway',
  'UPDATE gateways SET is_default = false WHERE merchant_id = $1 AND is_default',
)
const anyMerchant = statement<{ id: string }>('any_merchant', 'SELECT id FROM merchants LIMIT 1')

const setPreAuth = (writeEvent: WriteEvent) =>
  statement<{ id: string }>(
    'set_pre_auth',
    `WITH changed AS (UPDATE merchants SET pre_auth = $2 WHERE id = $1 RETURNING id, pre_auth), event AS (${writeEvent(
      {
        id: '$3',
        merchant: 'id',
        type: "'pre_auth.changed'",
        subject: 'id',
        actor: '$4',
        facts: "jsonb_build_object('pre_auth', pre_auth)",
        from: 'changed',
      },
    )}) SELECT id FROM changed`,
  )
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
      const [row] = await database.run(findMerchant, [id])
      return row === undefined ? null : toMerchant(row)
    },
    async gatewaysOf(merchantId) {
      const rows = await database.run(findGateways, [merchantId])
      return rows.map(toGateway)
    },
    addGateway: (merchantId, gateway) =>
      database.transaction(async (queries) => {
        if (gateway.isDefault) await queries.run(noDefault, [merchantId])
        const isAdded = await writeGateway(queries, merchantId, gateway)
        const { id, name, type, isDefault: is_default } = gateway
        if (isAdded) await tell(queries, merchantId, 'gateway.added', { id, name, type, is_default })
        return isAdded
      }),
    isEmpty: async () => (await database.run(anyMerchant, [])).length === 0,
    setPreAuth: async (merchantId, isOn) =>
      (await database.run(changePreAuth, [merchantId, isOn, createId(), actor])).length > 0,
    add: ({ merchant, gateway, keys }) =>
      database.transaction(async (queries) => {
        await queries.run(addMerchant, [
          merchant.id,
          merchant.name,
          merchant.preAuth,
          merchant.allowedOrigins,
        ])
        if (gateway !== null) await writeGateway(queries, merchant.id, gateway)
        const { name, preAuth: pre_auth, allowedOrigins: allowed_origins } = merchant
        await tell(queries, merchant.id, 'merchant.added', { name, pre_auth, allowed_origins })
        for (const key of keys) await keyStore.add(queries, merchant.id, key)
      }),
  }
}

async function writeGateway(queries: Queries, merchantId: string, gateway: StoredGateway): Promise<boolean> {
  const { id, name, type, isDefault, sealed } = gateway
  const values = [id, merchantId, name, type, isDefault]
  const secrets = [sealed?.masterKeyId, sealed?.wrappedDataKey, sealed?.text]
  return (await queries.run(addGateway, [...values, ...secrets])).length > 0
}

function toGateway(row: GatewayRow): StoredGateway {
  const { id, name, type, is_default: isDefault, master_key_id: masterKeyId } = row
  const { wrapped_data_key: wrappedDataKey, credentials: text } = row
  const isSealed = masterKeyId !== null && wrappedDataKey !== null && text !== null
  return { id, name, type, isDefault, sealed: isSealed ? { masterKeyId, wrappedDataKey, text } : null }
}
