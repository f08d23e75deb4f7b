import { batchColumns, batchOf } from '../../../platform/jobs/batches.ts'
import { arrayOf, bool, nullable, text, timestamptz } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import { chargeColumns } from './charge-row.ts'

/** In the order in which they can happen, also where the clock was set back between them. */
const IN_ORDER = "CASE a.type WHEN 'sale' THEN 0 WHEN 'refund' THEN 2 ELSE 1 END, a.created_at, a.id"

const columns = `
  c.id, c.merchant_id, c.gateway_id, c.token_hash, c.status, c.pre_auth, c.amount, c.currency, c.reference, c.description,
  c.customer, c.payment_source, c.source_ip, coalesce(c.hold_expires_at <= now(), false) AS is_hold_over,
  (extract(epoch FROM now() - c.created_at) * 1000)::float8 AS age_ms,
  c.open_attempt_id, c.version, c.created_at, c.updated_at,
  a.id AS attempt_id, a.type, a.reason, a.reference AS attempt_reference, a.amount AS attempt_amount, a.outcome, a.decline_reason, a.gateway_code,
  a.gateway_description, a.external_id, a.external_reference, a.user_id, a.source_ip AS attempt_source_ip,
  a.created_at AS attempt_created_at, a.settled_at`

export const findCharge = statement({
  name: 'find_charge',
  values: { charge_id: text },
  columns: chargeColumns,
  sql: `
    SELECT ${columns} FROM charges c JOIN attempts a ON a.charge_id = c.id
    WHERE c.id = :charge_id ORDER BY ${IN_ORDER}`,
})

/** Charges by their ids, newest first. */
export const findCharges = statement({
  name: 'find_charges',
  values: { ids: arrayOf(text) },
  columns: { ...chargeColumns, hold_expires_at: nullable(timestamptz) },
  sql: `
    SELECT ${columns}, c.hold_expires_at FROM charges c JOIN attempts a ON a.charge_id = c.id
    WHERE c.id = ANY (:ids) ORDER BY c.created_at DESC, c.id DESC, ${IN_ORDER}`,
})

/** The attempt that a request made when it came before; `is_due` when nobody waits for its answer any more. */
export const findByRequest = statement({
  name: 'find_by_request',
  values: { request_key: text },
  columns: { id: text, charge_id: text, request_hash: nullable(text), is_due: bool },
  sql: `
    SELECT id, charge_id, request_hash, ask_after <= now() AS is_due FROM attempts WHERE request_key = :request_key`,
})

/** Forgets some keys of requests that are 30 days old (contract §2). */
export const forgetRequests = statement({
  name: 'forget_requests',
  values: {},
  columns: batchColumns,
  sql: batchOf({
    change: 'UPDATE attempts SET request_key = NULL',
    key: 'id',
    order: 'created_at',
    found: `attempts WHERE request_key IS NOT NULL AND created_at <= now() - interval '30 days'`,
  }),
})
