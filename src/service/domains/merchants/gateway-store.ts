import type { AuthenticationWish } from '../../../contract/api/charges/authentication.ts'
import type { Queries } from '../../platform/database/database.ts'
import { bool, bytea, nullable, text, textOf } from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import type { SealedText } from '../../platform/vault/vault.ts'
import type { KeyTable } from '../../platform/vault/wrapped-keys.ts'

/** One of a merchant's accounts at a payment gateway. */
export interface MerchantGateway {
  id: string
  name: string
  /** Which adapter speaks to it. */
  type: string
  isDefault: boolean
  /** Whether its card holders are authenticated, where neither the request nor the template says so. */
  authentication: AuthenticationWish
}

/** A gateway with its sealed credentials. The sandbox has none. */
export interface StoredGateway extends MerchantGateway {
  sealed: SealedText | null
}

/** Where a gateway's sealed credentials stand: they can be opened for this place only. */
export function credentialsPlaceOf(gatewayId: string): string {
  return `gateways/${gatewayId}`
}

/** The data keys of gateways' credentials. If a master key is lost, the operator enters its credentials again. */
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

export async function listGateways(queries: Queries, merchantId: string): Promise<StoredGateway[]> {
  return (await queries.run(selectGateways, { merchant_id: merchantId })).map(toGateway)
}

/** Locks a merchant's gateways until the transaction ends. */
export async function lockGateways(queries: Queries, merchantId: string): Promise<void> {
  await queries.run(selectMerchantForUpdate, { merchant_id: merchantId })
}

/** False if there is no such merchant. */
export async function addGateway(
  queries: Queries,
  merchantId: string,
  gateway: StoredGateway,
): Promise<boolean> {
  return (await queries.run(insertGateway, toRow(merchantId, gateway))).length > 0
}

export async function clearDefault(queries: Queries, merchantId: string): Promise<void> {
  await queries.run(updateToNoDefault, { merchant_id: merchantId })
}

/** Returns the gateway's name; undefined if the merchant has no such gateway. */
export async function setDefault(
  queries: Queries,
  merchantId: string,
  gatewayId: string,
): Promise<string | undefined> {
  return (await queries.run(updateToDefault, { merchant_id: merchantId, id: gatewayId }))[0]?.name
}

/** Returns the gateway's name; undefined if nothing has changed. */
export async function setAuthentication(
  queries: Queries,
  merchantId: string,
  gatewayId: string,
  authentication: AuthenticationWish,
): Promise<string | undefined> {
  const values = { merchant_id: merchantId, id: gatewayId, authentication }
  return (await queries.run(updateAuthentication, values))[0]?.name
}

/** Returns the gateway's name; undefined if its credentials are no longer `asRead`. */
export async function replaceCredentials(
  queries: Queries,
  merchantId: string,
  gatewayId: string,
  asRead: Buffer,
  { masterKeyId, wrappedDataKey, text: credentials }: SealedText,
): Promise<string | undefined> {
  const sealed = { master_key_id: masterKeyId, wrapped_data_key: wrappedDataKey, credentials }
  const gateway = { id: gatewayId, merchant_id: merchantId, as_read: asRead }
  return (await queries.run(updateCredentials, { ...gateway, ...sealed }))[0]?.name
}

/** Whether a gateway has a payment, or may have: one with an unknown outcome counts. */
export async function hasPayment(queries: Queries, merchantId: string, gatewayId: string): Promise<boolean> {
  const [row] = await queries.run(selectPayment, { merchant_id: merchantId, id: gatewayId })
  return row?.found === true
}

/** Returns the gateway's name; undefined if it has a payment, or its credentials are no longer `asRead`. */
export async function removeUnusedGateway(
  queries: Queries,
  merchantId: string,
  gatewayId: string,
  asRead: Buffer | null,
): Promise<string | undefined> {
  const values = { merchant_id: merchantId, id: gatewayId, as_read: asRead }
  return (await queries.run(deleteUnused, values))[0]?.name
}

const gatewayColumns = {
  id: text,
  name: text,
  type: text,
  is_default: bool,
  authentication: textOf<AuthenticationWish>(),
  master_key_id: nullable(text),
  wrapped_data_key: nullable(bytea),
  credentials: nullable(bytea),
}
const selectGateways = statement({
  name: 'find_gateways',
  values: { merchant_id: text },
  columns: gatewayColumns,
  sql: `
    SELECT id, name, type, is_default, authentication, master_key_id, wrapped_data_key, credentials FROM gateways
    WHERE merchant_id = :merchant_id ORDER BY id`,
})
/** A merchant's first gateway becomes its default. */
const insertGateway = statement({
  name: 'add_gateway',
  values: { ...gatewayColumns, merchant_id: text },
  columns: { id: text },
  sql: `
    INSERT INTO gateways (id, merchant_id, name, type, is_default, authentication, master_key_id, wrapped_data_key, credentials)
    SELECT :id, id, :name, :type,
           :is_default OR NOT EXISTS (SELECT 1 FROM gateways WHERE merchant_id = :merchant_id AND is_default),
           :authentication, :master_key_id, :wrapped_data_key, :credentials
    FROM merchants WHERE id = :merchant_id RETURNING id`,
})
const updateToNoDefault = statement({
  name: 'no_default_gateway',
  values: { merchant_id: text },
  columns: {},
  sql: 'UPDATE gateways SET is_default = false WHERE merchant_id = :merchant_id AND is_default',
})
const updateToDefault = statement({
  name: 'make_gateway_default',
  values: { id: text, merchant_id: text },
  columns: { name: text },
  sql: `
    UPDATE gateways SET is_default = true WHERE id = :id AND merchant_id = :merchant_id RETURNING name`,
})
const updateAuthentication = statement({
  name: 'change_gateway_authentication',
  values: { id: text, merchant_id: text, authentication: textOf<AuthenticationWish>() },
  columns: { name: text },
  sql: `
    UPDATE gateways SET authentication = :authentication
    WHERE id = :id AND merchant_id = :merchant_id AND authentication <> :authentication RETURNING name`,
})
const updateCredentials = statement({
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
/** A payment that may need this gateway again: its outcome is unknown, or it can be captured or refunded. Those that failed, or that no card holder authenticated, moved nothing. */
const PAYMENT =
  "SELECT 1 FROM charges WHERE merchant_id = :merchant_id AND gateway_id = :id AND status NOT IN ('failed', 'not_authenticated')"
const deleteUnused = statement({
  name: 'remove_gateway',
  values: { id: text, merchant_id: text, as_read: nullable(bytea) },
  columns: { name: text },
  sql: `
    DELETE FROM gateways
    WHERE id = :id AND merchant_id = :merchant_id AND credentials IS NOT DISTINCT FROM :as_read AND NOT EXISTS (${PAYMENT})
    RETURNING name`,
})
const selectPayment = statement({
  name: 'find_payment_at_gateway',
  values: { id: text, merchant_id: text },
  columns: { found: bool },
  sql: `SELECT EXISTS (${PAYMENT}) AS found`,
})
/** Changes of a merchant's gateways take turns here. Its charges do not wait. */
const selectMerchantForUpdate = statement({
  name: 'lock_merchant_for_gateways',
  values: { merchant_id: text },
  columns: {},
  sql: 'SELECT FROM merchants WHERE id = :merchant_id FOR NO KEY UPDATE',
})

function toRow(merchantId: string, { id, name, type, isDefault, authentication, sealed }: StoredGateway) {
  return {
    id,
    merchant_id: merchantId,
    name,
    type,
    is_default: isDefault,
    authentication,
    master_key_id: sealed?.masterKeyId ?? null,
    wrapped_data_key: sealed?.wrappedDataKey ?? null,
    credentials: sealed?.text ?? null,
  }
}

function toGateway(row: ValuesOf<typeof gatewayColumns>): StoredGateway {
  const { id, name, type, is_default: isDefault, authentication } = row
  const { master_key_id: masterKeyId, wrapped_data_key: wrappedDataKey, credentials: text } = row
  const isSealed = masterKeyId !== null && wrappedDataKey !== null && text !== null
  const gateway = { id, name, type, isDefault, authentication }
  return { ...gateway, sealed: isSealed ? { masterKeyId, wrappedDataKey, text } : null }
}
