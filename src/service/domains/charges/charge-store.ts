import { createHash } from 'node:crypto'
import type { Metadata } from '../../../contract/api/fields/metadata.ts'
import type { Actor } from '../../../contract/dashboard/audit.ts'
import type { Database, Queries } from '../../platform/database/database.ts'
import {
  arrayOf,
  bigint,
  bool,
  bytea,
  cents,
  float8,
  integer,
  json,
  jsonb,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import { eventSql } from '../../platform/events.ts'
import type { DeclineReason } from '../gateways/gateway.ts'
import type { AttemptAuthentication } from './authentication.ts'
import type {
  Attempt,
  AttemptReason,
  AttemptType,
  Charge,
  ChargeStatus,
  ChargeWords,
  Outcome,
} from './charge.ts'

/** A charge, whoever its merchant is. */
export async function findCharge(database: Database, id: string): Promise<Charge | null> {
  const [charge] = toCharges(await database.grouped.run(selectCharge, { charge_id: id }))
  return charge ?? null
}

/** Charges by their ids; an id without a charge is left out. */
export async function findCharges(
  database: Queries,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Charge>> {
  const charges = toCharges(await database.run(selectCharges, { ids }))
  return new Map(charges.map((charge) => [charge.id, charge]))
}

/** A charge as the dashboard lists it. */
export interface ListedCharge {
  charge: Charge
  /** When its hold ends; null unless funds are held. */
  holdEndsAt: Date | null
}

/** Charges by their ids, newest first. */
export async function findListed(database: Queries, ids: readonly string[]): Promise<ListedCharge[]> {
  if (ids.length === 0) return []
  const rows = await database.run(selectCharges, { ids })
  const ends = new Map(rows.map((row) => [row.id, row.hold_expires_at]))
  return toCharges(rows).map((charge) => ({
    charge,
    holdEndsAt: charge.status === 'pending' ? (ends.get(charge.id) ?? null) : null,
  }))
}

/** The columns of a charge joined with one of its attempts. */
const chargeColumns = {
  id: text,
  merchant_id: text,
  gateway_id: text,
  token_hash: bytea,
  status: textOf<ChargeStatus>(),
  pre_auth: bool,
  amount: cents,
  currency: text,
  reference: nullable(text),
  description: nullable(text),
  statement_descriptor: nullable(text),
  metadata: jsonb<Charge['metadata']>(),
  edits: jsonb<readonly { id: string; at: string }[]>(),
  dispute_sums: jsonb<readonly { disputed: number; charged_back: number; at: string }[]>(),
  customer: json<Charge['customer']>(),
  payment_source: json<Charge['paymentSource']>(),
  source_ip: nullable(text),
  is_hold_over: bool,
  age_ms: float8,
  open_attempt_id: nullable(text),
  version: integer,
  created_at: timestamptz,
  updated_at: timestamptz,
  attempt_id: text,
  type: textOf<AttemptType>(),
  reason: nullable(textOf<AttemptReason>()),
  reverses: nullable(text),
  attempt_reference: nullable(text),
  attempt_amount: cents,
  outcome: textOf<Outcome>(),
  decline_reason: nullable(textOf<DeclineReason>()),
  gateway_code: nullable(text),
  gateway_description: nullable(text),
  external_id: nullable(text),
  external_reference: nullable(text),
  authentication: nullable(jsonb<AttemptAuthentication>()),
  user_id: nullable(text),
  attempt_source_ip: nullable(text),
  attempt_created_at: timestamptz,
  settled_at: nullable(timestamptz),
}
type ChargeRow = ValuesOf<typeof chargeColumns>

const columns = `
  c.id, c.merchant_id, c.gateway_id, c.token_hash, c.status, c.pre_auth, c.amount, c.currency, c.reference, c.description,
  c.statement_descriptor, c.metadata, c.edits, c.dispute_sums, c.customer, c.payment_source, c.source_ip, coalesce(c.hold_expires_at <= now(), false) AS is_hold_over,
  (extract(epoch FROM now() - c.created_at) * 1000)::float8 AS age_ms,
  c.open_attempt_id, c.version, c.created_at, c.updated_at,
  a.id AS attempt_id, a.type, a.reason, a.reverses, a.reference AS attempt_reference, a.amount AS attempt_amount, a.outcome, a.decline_reason, a.gateway_code,
  a.gateway_description, a.external_id, a.external_reference, a.authentication, a.user_id, a.source_ip AS attempt_source_ip,
  a.created_at AS attempt_created_at, a.settled_at`

/**
 * The order in which attempts were written, which holds even if the clock was set back between them. Those of 1.2.0 have no place: of them
 * it is the order in which they can happen.
 */
const IN_ORDER =
  "a.place NULLS FIRST, CASE a.type WHEN 'sale' THEN 0 WHEN 'refund' THEN 2 ELSE 1 END, a.created_at, a.id"

export const selectCharge = statement({
  name: 'find_charge',
  values: { charge_id: text },
  columns: chargeColumns,
  sql: `
    SELECT ${columns} FROM charges c JOIN attempts a ON a.charge_id = c.id
    WHERE c.id = :charge_id ORDER BY ${IN_ORDER}`,
})

/** Newest first. */
export const selectCharges = statement({
  name: 'find_charges',
  values: { ids: arrayOf(text) },
  columns: { ...chargeColumns, hold_expires_at: nullable(timestamptz) },
  sql: `
    SELECT ${columns}, c.hold_expires_at FROM charges c JOIN attempts a ON a.charge_id = c.id
    WHERE c.id = ANY (:ids) ORDER BY c.created_at DESC, c.id DESC, ${IN_ORDER}`,
})

/** Rows of charges joined with their attempts → charges; both keep the rows' order. */
export function toCharges(rows: readonly ChargeRow[]): Charge[] {
  const byId = new Map<string, ChargeRow[]>()
  for (const row of rows) {
    const known = byId.get(row.id)
    if (known === undefined) byId.set(row.id, [row])
    else known.push(row)
  }
  return [...byId.values()].map(toCharge)
}

function toCharge(rows: readonly ChargeRow[]): Charge {
  const [row] = rows
  if (row === undefined) throw new Error('a charge has at least one attempt')
  return {
    id: row.id,
    merchantId: row.merchant_id,
    gatewayId: row.gateway_id,
    gatewayType: row.payment_source.gateway_type,
    tokenHash: row.token_hash,
    status: row.status,
    preAuth: row.pre_auth,
    amount: row.amount,
    currency: row.currency,
    reference: row.reference,
    description: row.description,
    statementDescriptor: row.statement_descriptor,
    metadata: row.metadata,
    edits: row.edits.map(({ id, at }) => ({ id, at: new Date(at) })),
    disputeSums: row.dispute_sums.map(({ disputed, charged_back: chargedBack, at }) => ({
      disputed,
      chargedBack,
      at: new Date(at),
    })),
    customer: row.customer,
    paymentSource: row.payment_source,
    sourceIp: row.source_ip,
    isHoldOver: row.is_hold_over,
    ageMs: row.age_ms,
    openAttemptId: row.open_attempt_id,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    attempts: rows.map(toAttempt),
  }
}

function toAttempt(row: ChargeRow): Attempt {
  return {
    id: row.attempt_id,
    type: row.type,
    reason: row.reason,
    reverses: row.reverses,
    amount: row.attempt_amount,
    reference: row.attempt_reference,
    outcome: row.outcome,
    declineReason: row.decline_reason,
    gatewayCode: row.gateway_code,
    gatewayDescription: row.gateway_description,
    externalId: row.external_id,
    externalReference: row.external_reference,
    authentication: row.authentication,
    userId: row.user_id,
    sourceIp: row.attempt_source_ip,
    createdAt: row.attempt_created_at,
    settledAt: row.settled_at,
  }
}

/** What stands for one name and text in `charge_metadata`: 48 bits of a hash. Who finds a charge by it looks at the text as well. */
export function pairOf(name: string, words: string): number {
  return createHash('sha256').update(`${name}\0${words}`).digest().readUIntBE(0, 6)
}

export function pairsOf(metadata: Metadata): number[] {
  return [...new Set(Object.entries(metadata).map(([name, words]) => pairOf(name, words)))]
}

/** SQL that writes the rows of a charge's metadata, of which `from` has `id`, `merchant_id` and `created_at`. */
export const insertPairs = (pairs: string, from: string): string => `
  INSERT INTO charge_metadata (merchant_id, pair, created_at, charge_id)
  SELECT merchant_id, pair, created_at, id FROM ${from} CROSS JOIN unnest(${pairs}::bigint[]) AS pair`

interface NewEdit {
  id: string
  words: ChargeWords
  /** The version that the charge must still have; null for any. */
  version: number | null
  actor: Actor
  facts: object
}

/** The charge with its new words; null if others have changed them since it was read. */
export async function writeWords(database: Database, charge: Charge, edit: NewEdit): Promise<Charge | null> {
  const { reference, description, metadata } = edit.words
  const before = pairsOf(charge.metadata)
  const after = pairsOf(metadata)
  // Not with the payments' statements, which would wait where several change one charge.
  const [row] = await database.run(updateWords, {
    charge_id: charge.id,
    edits: charge.edits.length,
    version: edit.version,
    reference,
    description,
    metadata,
    pairs_gone: before.filter((pair) => !after.includes(pair)),
    pairs_new: after.filter((pair) => !before.includes(pair)),
    event_id: edit.id,
    event_actor: edit.actor,
    event_facts: edit.facts,
  })
  if (row === undefined) return null
  const { edited_at: at, version } = row
  return { ...charge, ...edit.words, version, updatedAt: at, edits: [...charge.edits, { id: edit.id, at }] }
}

/** The version stays: it counts moves of money, and none has to wait for words. */
const updateWords = statement({
  name: 'update_words_of_charge',
  values: {
    charge_id: text,
    edits: integer,
    version: nullable(integer),
    reference: nullable(text),
    description: nullable(text),
    metadata: jsonb<Metadata>(),
    pairs_gone: arrayOf(bigint),
    pairs_new: arrayOf(bigint),
    event_id: text,
    event_actor: textOf<Actor>(),
    event_facts: jsonb(),
  },
  columns: { edited_at: timestamptz, version: integer },
  sql: `
    WITH edited AS (
      UPDATE charges
      SET reference = :reference, description = :description, metadata = :metadata, updated_at = now(),
          edits = edits || jsonb_build_array(jsonb_build_object('id', :event_id::text, 'at', now()::timestamptz(3)))
      WHERE id = :charge_id AND jsonb_array_length(edits) = :edits
        AND (:version::integer IS NULL OR version = :version)
      RETURNING id, merchant_id, created_at, updated_at AS edited_at, version
    ), gone AS (
      DELETE FROM charge_metadata USING edited
      WHERE charge_metadata.merchant_id = edited.merchant_id AND pair = ANY (:pairs_gone)
        AND charge_metadata.created_at = edited.created_at AND charge_id = edited.id
    ), added AS (${insertPairs(':pairs_new', 'edited')}
    ), event AS (${eventSql({
      id: ':event_id',
      merchant: 'merchant_id',
      type: "'charge.updated'",
      subject: 'id',
      actor: ':event_actor',
      facts: ':event_facts',
      from: 'edited',
    })})
    SELECT edited_at, version FROM edited`,
})

/** Locks a charge until the transaction ends, some milliseconds later, so that its disputes change one after the other. */
export async function lockForDisputes(queries: Queries, id: string): Promise<Charge | null> {
  const [locked] = await queries.run(lockCharge, { id })
  if (locked === undefined) return null
  const [charge] = toCharges(await queries.run(selectCharge, { charge_id: id }))
  return charge ?? null
}

/** Notes what is disputed of a charge from now on, if that is not what was noted last. */
export async function writeDisputeSums(
  queries: Queries,
  id: string,
  { disputed, chargedBack }: { disputed: number; chargedBack: number },
): Promise<void> {
  await queries.run(addDisputeSums, { id, disputed, charged_back: chargedBack })
}

const lockCharge = statement({
  name: 'lock_charge_for_disputes',
  values: { id: text },
  columns: { id: text },
  sql: 'SELECT id FROM charges WHERE id = :id FOR NO KEY UPDATE',
})

const addDisputeSums = statement({
  name: 'note_disputes_of_charge',
  values: { id: text, disputed: bigint, charged_back: bigint },
  columns: {},
  sql: `
    UPDATE charges SET updated_at = now(),
      dispute_sums = dispute_sums || jsonb_build_array(jsonb_build_object(
        'disputed', :disputed::bigint, 'charged_back', :charged_back::bigint, 'at', now()::timestamptz(3)))
    WHERE id = :id AND (dispute_sums -> -1 -> 'disputed', dispute_sums -> -1 -> 'charged_back')
      IS DISTINCT FROM (to_jsonb(:disputed::bigint), to_jsonb(:charged_back::bigint))`,
})
