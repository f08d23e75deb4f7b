import type { Queries } from '../../platform/database/database.ts'
import { arrayOf, bool, text, timestamptz } from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'

/** A merchant, as requests act for it. */
export interface Merchant {
  id: string
  name: string
  /** May hold funds and capture later (the Pre-Auth feature). */
  preAuth: boolean
  /** Origins whose pages may show the widget. Empty: every page may. */
  allowedOrigins: readonly string[]
}

export const merchantColumns = { id: text, name: text, pre_auth: bool, allowed_origins: arrayOf(text) }

export function toMerchant(row: ValuesOf<typeof merchantColumns>): Merchant {
  const { id, name, pre_auth: preAuth, allowed_origins: allowedOrigins } = row
  return { id, name, preAuth, allowedOrigins }
}

export async function findMerchant(queries: Queries, merchantId: string): Promise<Merchant | null> {
  const [row] = await queries.run(selectMerchant, { merchant_id: merchantId })
  return row === undefined ? null : toMerchant(row)
}

/** All merchants, oldest first. */
export async function listMerchants(queries: Queries): Promise<(Merchant & { createdAt: Date })[]> {
  const rows = await queries.run(selectMerchants, {})
  return rows.map((row) => ({ ...toMerchant(row), createdAt: row.created_at }))
}

export async function hasMerchants(queries: Queries): Promise<boolean> {
  return (await queries.run(selectAny, {})).length > 0
}

export async function addMerchant(
  queries: Queries,
  { id, name, preAuth: pre_auth, allowedOrigins }: Merchant,
): Promise<void> {
  await queries.run(insertMerchant, { id, name, pre_auth, allowed_origins: [...allowedOrigins] })
}

/** False if there is no such merchant. */
export async function setPreAuth(queries: Queries, merchantId: string, isOn: boolean): Promise<boolean> {
  return (await queries.run(updatePreAuth, { merchant_id: merchantId, pre_auth: isOn })).length > 0
}

/** The merchant with its new name, or null if there is none. */
export async function renameMerchant(
  queries: Queries,
  merchantId: string,
  name: string,
): Promise<Merchant | null> {
  const [row] = await queries.run(updateName, { merchant_id: merchantId, name })
  return row === undefined ? null : toMerchant(row)
}

/** The merchant with its new origins, or null if there is none. */
export async function setOrigins(
  queries: Queries,
  merchantId: string,
  origins: readonly string[],
): Promise<Merchant | null> {
  const values = { merchant_id: merchantId, allowed_origins: [...origins] }
  const [row] = await queries.run(updateOrigins, values)
  return row === undefined ? null : toMerchant(row)
}

const selectMerchant = statement({
  name: 'find_merchant',
  values: { merchant_id: text },
  columns: merchantColumns,
  sql: 'SELECT id, name, pre_auth, allowed_origins FROM merchants WHERE id = :merchant_id',
})
const selectMerchants = statement({
  name: 'list_merchants',
  values: {},
  columns: { ...merchantColumns, created_at: timestamptz },
  sql: `
    SELECT id, name, pre_auth, allowed_origins, created_at FROM merchants ORDER BY created_at, id`,
})
const insertMerchant = statement({
  name: 'add_merchant',
  values: { id: text, name: text, pre_auth: bool, allowed_origins: arrayOf(text) },
  columns: {},
  sql: `
    INSERT INTO merchants (id, name, pre_auth, allowed_origins) VALUES (:id, :name, :pre_auth, :allowed_origins)`,
})
const selectAny = statement({
  name: 'any_merchant',
  values: {},
  columns: { id: text },
  sql: 'SELECT id FROM merchants LIMIT 1',
})
const updatePreAuth = statement({
  name: 'set_pre_auth',
  values: { merchant_id: text, pre_auth: bool },
  columns: { id: text },
  sql: 'UPDATE merchants SET pre_auth = :pre_auth WHERE id = :merchant_id RETURNING id',
})
const updateName = statement({
  name: 'rename_merchant',
  values: { merchant_id: text, name: text },
  columns: merchantColumns,
  sql: `
    UPDATE merchants SET name = :name WHERE id = :merchant_id RETURNING id, name, pre_auth, allowed_origins`,
})
const updateOrigins = statement({
  name: 'set_allowed_origins',
  values: { merchant_id: text, allowed_origins: arrayOf(text) },
  columns: merchantColumns,
  sql: `
    UPDATE merchants SET allowed_origins = :allowed_origins WHERE id = :merchant_id
    RETURNING id, name, pre_auth, allowed_origins`,
})
