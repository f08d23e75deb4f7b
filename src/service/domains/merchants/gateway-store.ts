import type { Database, Queries } from '../../platform/database/database.ts'
import { bool, bytea, nullable, text } from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import type { SealedText } from '../../platform/vault/sealed-text.ts'
import type { AddMerchantEvent } from './merchant-events.ts'
import type { MerchantGateway } from './merchant.ts'

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
const makeDefault = statement({
  name: 'make_gateway_default',
  values: { id: text, merchant_id: text },
  columns: { name: text },
  sql: `
    UPDATE gateways SET is_default = true WHERE id = :id AND merchant_id = :merchant_id RETURNING name`,
})
const changeCredentials = statement({
  name: 'change_gateway_credentials',
  values: {
    id: text,
    merchant_id: text,
    as_read: bytea,
    master_key_id: text,
    wrapped_data_key: bytea,
    credentials: bytea,
  },
  columns: { name: text },
  sql: `
    UPDATE gateways SET master_key_id = :master_key_id, wrapped_data_key = :wrapped_data_key, credentials = :credentials
    WHERE id = :id AND merchant_id = :merchant_id AND credentials = :as_read RETURNING name`,
})
/** A payment of which only this gateway knows the outcome, or which only it can capture or refund. A sale that failed moved nothing. */
const PAYMENT =
  "SELECT 1 FROM charges WHERE merchant_id = :merchant_id AND gateway_id = :id AND status <> 'failed'"
const removeUnused = statement({
  name: 'remove_gateway',
  values: { id: text, merchant_id: text, as_read: nullable(bytea) },
  columns: { name: text },
  sql: `
    DELETE FROM gateways
    WHERE id = :id AND merchant_id = :merchant_id AND credentials IS NOT DISTINCT FROM :as_read AND NOT EXISTS (${PAYMENT})
    RETURNING name`,
})
const findPayment = statement({
  name: 'find_payment_at_gateway',
  values: { id: text, merchant_id: text },
  columns: { found: bool },
  sql: `SELECT EXISTS (${PAYMENT}) AS found`,
})
/** Those who change a merchant's default wait for one another, and keep none of its charges waiting. */
const lockMerchant = statement({
  name: 'lock_merchant_for_gateways',
  values: { merchant_id: text },
  columns: {},
  sql: 'SELECT FROM merchants WHERE id = :merchant_id FOR NO KEY UPDATE',
})

/** A gateway as it is kept; the sandbox has no credentials. */
export interface StoredGateway extends MerchantGateway {
  sealed: SealedText | null
}

/** Merchants' gateways in SQL; what changes them is an event in the same transaction. */
export interface GatewayStore {
  of: (merchantId: string) => Promise<StoredGateway[]>
  /** Within the transaction that makes its merchant, of which the event tells. */
  addFirst: (queries: Queries, merchantId: string, gateway: StoredGateway) => Promise<void>
  /** False when there is no such merchant. A new default takes the place of the old one. */
  add: (merchantId: string, gateway: StoredGateway) => Promise<boolean>
  /** False when the merchant has no such gateway. */
  makeDefault: (merchantId: string, gatewayId: string) => Promise<boolean>
  /** False when the merchant has no such gateway, or its credentials are no longer those that were read. */
  changeCredentials: (
    merchantId: string,
    gatewayId: string,
    asRead: Buffer,
    sealed: SealedText,
  ) => Promise<boolean>
  /** Whether it has a payment, or may have: an outcome that is not known counts. */
  hasPayment: (merchantId: string, gatewayId: string) => Promise<boolean>
  /** `asRead`: its sealed credentials, null where it needs none. */
  remove: (merchantId: string, gatewayId: string, asRead: Buffer | null) => Promise<GatewayRemoval>
}

/**
 * The outcome: the default gateway is removed last, and one that has taken a payment never. `overtaken`: its credentials are no longer those
 * that were read.
 */
export type GatewayRemoval = 'removed' | 'unknown' | 'default' | 'used' | 'overtaken'

export function createGatewayStore(database: Database, addEvent: AddMerchantEvent): GatewayStore {
  return {
    of: async (merchantId) => (await database.run(findGateways, { merchant_id: merchantId })).map(toGateway),
    addFirst: async (queries, merchantId, gateway) => {
      await queries.run(addGateway, toRow(merchantId, gateway))
    },
    add: (merchantId, gateway) =>
      database.transaction(async (queries) => {
        await queries.run(lockMerchant, { merchant_id: merchantId })
        if (gateway.isDefault) await queries.run(noDefault, { merchant_id: merchantId })
        const isAdded = (await queries.run(addGateway, toRow(merchantId, gateway))).length > 0
        const { id, name, type, isDefault: is_default } = gateway
        if (isAdded) await addEvent(queries, merchantId, 'gateway.added', { id, name, type, is_default })
        return isAdded
      }),
    makeDefault: (merchantId, gatewayId) =>
      database.transaction(async (queries) => {
        const merchant = { merchant_id: merchantId }
        await queries.run(lockMerchant, merchant)
        const known = await queries.run(findGateways, merchant)
        if (!known.some(({ id }) => id === gatewayId)) return false
        await queries.run(noDefault, merchant)
        const [row] = await queries.run(makeDefault, { ...merchant, id: gatewayId })
        await addEvent(queries, merchantId, 'gateway.made_default', { id: gatewayId, name: row?.name ?? '' })
        return true
      }),
    changeCredentials: (merchantId, gatewayId, asRead, { masterKeyId, wrappedDataKey, text: credentials }) =>
      database.transaction(async (queries) => {
        const sealed = { master_key_id: masterKeyId, wrapped_data_key: wrappedDataKey, credentials }
        const gateway = { id: gatewayId, merchant_id: merchantId, as_read: asRead }
        const [row] = await queries.run(changeCredentials, { ...gateway, ...sealed })
        if (row === undefined) return false
        await addEvent(queries, merchantId, 'gateway.credentials_changed', { id: gatewayId, name: row.name })
        return true
      }),
    hasPayment: async (merchantId, gatewayId) =>
      (await database.run(findPayment, { merchant_id: merchantId, id: gatewayId }))[0]?.found === true,
    remove: (merchantId, gatewayId, asRead) =>
      database.transaction(async (queries) => {
        const merchant = { merchant_id: merchantId }
        await queries.run(lockMerchant, merchant)
        const known = await queries.run(findGateways, merchant)
        const found = known.find(({ id }) => id === gatewayId)
        if (found === undefined) return 'unknown'
        if (found.is_default && known.length > 1) return 'default'
        if (asRead !== null && found.credentials?.equals(asRead) === false) return 'overtaken'
        const [row] = await queries.run(removeUnused, { ...merchant, id: gatewayId, as_read: asRead })
        if (row === undefined) return 'used'
        await addEvent(queries, merchantId, 'gateway.removed', { id: gatewayId, name: row.name })
        return 'removed'
      }),
  }
}

function toRow(merchantId: string, { id, name, type, isDefault, sealed }: StoredGateway) {
  return {
    id,
    merchant_id: merchantId,
    name,
    type,
    is_default: isDefault,
    master_key_id: sealed?.masterKeyId ?? null,
    wrapped_data_key: sealed?.wrappedDataKey ?? null,
    credentials: sealed?.text ?? null,
  }
}

function toGateway(row: ValuesOf<typeof gatewayColumns>): StoredGateway {
  const { id, name, type, is_default: isDefault, master_key_id: masterKeyId } = row
  const { wrapped_data_key: wrappedDataKey, credentials: text } = row
  const isSealed = masterKeyId !== null && wrappedDataKey !== null && text !== null
  return { id, name, type, isDefault, sealed: isSealed ? { masterKeyId, wrappedDataKey, text } : null }
}
