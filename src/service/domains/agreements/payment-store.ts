import type { Queries } from '../../platform/database/database.ts'
import {
  arrayOf,
  bigint,
  bool,
  cents,
  integer,
  jsonb,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import { eventSql } from '../../platform/events.ts'
import { batchColumns, batchOf, countIn } from '../../platform/jobs/batches.ts'
import type { Agreement } from './agreement.ts'
import { LAST_DAY } from './calendar.ts'
import type { Day } from './calendar.ts'
import { countOf, periodOf } from './payment.ts'
import type { NewPayment, Payment, PaymentFailure, PaymentState, PaymentCounts } from './payment.ts'

/** A period that contains no day. */
const NO_PERIOD = { from: LAST_DAY, to: '' }

export const paymentColumns = {
  id: text,
  agreement_id: text,
  merchant_id: text,
  agreement_version: integer,
  status: textOf<PaymentState>(),
  amount: cents,
  reference: text,
  description: nullable(text),
  is_last: bool,
  due_on: nullable(text),
  counts_on: text,
  failure: nullable(jsonb<PaymentFailure>()),
  network_reference: nullable(text),
  created_at: timestamptz,
  sent_at: nullable(timestamptz),
  investigated_at: nullable(timestamptz),
  ended_at: nullable(timestamptz),
  updated_at: timestamptz,
}

const names = Object.keys(paymentColumns)
export const columns = names.join(', ')

/** The same columns, with the table's name. */
export const columnsOf = (table: string): string => names.map((name) => `${table}.${name}`).join(', ')

export const paymentById = statement({
  name: 'find_agreement_payment',
  values: { id: text },
  columns: paymentColumns,
  sql: `SELECT ${columns} FROM agreement_payments WHERE id = :id`,
})

/**
 * For each agreement its payments that have not failed: their number up to `most`, their number in a period, and whether the last is
 * among them. Exact only while the agreements are locked.
 */
export const paymentTallies = statement({
  name: 'tally_agreement_payments',
  values: { agreement_ids: arrayOf(text), mosts: arrayOf(integer), froms: arrayOf(text), tos: arrayOf(text) },
  columns: { agreement_id: text, count: bigint, in_period: bigint, has_last: bool },
  sql: `
    SELECT asked.agreement_id, counted.count, period.count AS in_period,
           EXISTS (SELECT FROM agreement_payments p
                   WHERE p.agreement_id = asked.agreement_id AND p.is_last AND p.status <> 'failed') AS has_last
    FROM unnest(:agreement_ids::text[], :mosts::integer[], :froms::text[], :tos::text[])
      AS asked (agreement_id, most, period_from, period_to)
    CROSS JOIN LATERAL (
      SELECT count(*) FROM (
        SELECT FROM agreement_payments p
        WHERE p.agreement_id = asked.agreement_id AND p.status <> 'failed' LIMIT asked.most
      ) counted_ones
    ) counted
    CROSS JOIN LATERAL (
      SELECT count(*) FROM agreement_payments p
      WHERE p.agreement_id = asked.agreement_id AND p.status <> 'failed'
        AND p.counts_on BETWEEN asked.period_from AND asked.period_to
    ) period`,
})

export const paymentCount = statement({
  name: 'count_agreement_payments',
  values: { agreement_id: text, most: bigint },
  columns: { count: bigint },
  sql: `
    SELECT count(*) FROM (
      SELECT FROM agreement_payments WHERE agreement_id = :agreement_id AND status <> 'failed' LIMIT :most
    ) counted_ones`,
})

export const paymentByRequest = statement({
  name: 'find_agreement_payment_by_request',
  values: { idempotency_key_hash: text },
  columns: { ...paymentColumns, request_hash: nullable(text) },
  sql: `SELECT ${columns}, request_hash FROM agreement_payments WHERE idempotency_key_hash = :idempotency_key_hash`,
})

/** Forgets some keys of requests that are 30 days old (contract §2). */
export const oldRequests = statement({
  name: 'forget_payment_requests',
  values: {},
  columns: batchColumns,
  sql: batchOf({
    change: 'UPDATE agreement_payments SET idempotency_key_hash = NULL',
    key: 'id',
    order: 'created_at',
    found: `agreement_payments WHERE idempotency_key_hash IS NOT NULL AND created_at <= now() - interval '30 days'`,
  }),
})

/** Adds payments with their events. Leaves out one for a due day that has its payment already. */
const paymentsToAdd = statement({
  name: 'add_agreement_payments',
  values: {
    ids: arrayOf(text),
    agreement_ids: arrayOf(text),
    merchant_ids: arrayOf(text),
    agreement_versions: arrayOf(integer),
    agreement_revisions: arrayOf(integer),
    amounts: arrayOf(cents),
    references: arrayOf(text),
    descriptions: arrayOf(nullable(text)),
    are_last: arrayOf(bool),
    due_days: arrayOf(nullable(text)),
    counting_days: arrayOf(text),
    idempotency_key_hashes: arrayOf(nullable(text)),
    request_hashes: arrayOf(nullable(text)),
    event_ids: arrayOf(text),
    actor: text,
    now: timestamptz,
  },
  columns: paymentColumns,
  sql: `
    WITH requested AS (
      SELECT * FROM unnest(:ids::text[], :agreement_ids::text[], :merchant_ids::text[], :agreement_versions::integer[],
        :agreement_revisions::integer[],
        :amounts::bigint[], :references::text[], :descriptions::text[], :are_last::boolean[], :due_days::text[],
        :counting_days::text[], :idempotency_key_hashes::text[], :request_hashes::text[], :event_ids::text[])
        AS requested (id, agreement_id, merchant_id, agreement_version, agreement_revision, amount, reference, description,
                   is_last, due_on, counts_on, idempotency_key_hash, request_hash, event_id)
    ), added AS (
      INSERT INTO agreement_payments (id, agreement_id, merchant_id, agreement_version, agreement_revision, status,
        amount, reference, description, is_last, due_on, counts_on, idempotency_key_hash, request_hash, next_at, created_at, updated_at)
      SELECT id, agreement_id, merchant_id, agreement_version, agreement_revision, 'received', amount, reference,
        description, is_last, due_on, counts_on, idempotency_key_hash, request_hash, :now::timestamptz, :now, :now FROM requested
      ON CONFLICT (agreement_id, due_on) WHERE due_on IS NOT NULL DO NOTHING
      RETURNING ${columns}
    ), added_with_event AS (SELECT ${columnsOf('added')}, requested.event_id FROM added JOIN requested USING (id)),
    event AS (${eventSql({
      ...eventOf('added_with_event'),
      type: "'payment.received'",
      actor: ':actor::text',
    })})
    SELECT ${columns} FROM added`,
})

export function eventOf(from: string) {
  return {
    id: 'event_id',
    merchant: 'merchant_id',
    subject: 'id',
    actor: "'service'",
    facts: "jsonb_build_object('agreement', agreement_id, 'amount', amount, 'status', status)",
    from,
  }
}

export async function findPayment(queries: Queries, id: string): Promise<Payment | null> {
  const [row] = await queries.run(paymentById, { id })
  return row === undefined ? null : toPayment(row)
}

/** Counts each agreement's payments so far, to decide on the next one. Call it in the transaction that has locked the agreements. */
export async function tallyPayments(
  queries: Queries,
  asked: readonly { agreement: Agreement; day: Day }[],
): Promise<(agreement: Agreement) => PaymentCounts> {
  const periods = asked.map(({ agreement, day }) => periodOf(agreement, day) ?? NO_PERIOD)
  const rows = await queries.run(paymentTallies, {
    agreement_ids: asked.map(({ agreement }) => agreement.id),
    mosts: asked.map(({ agreement }) => countOf(agreement)),
    froms: periods.map(({ from }) => from),
    tos: periods.map(({ to }) => to),
  })
  const tallies = new Map(
    rows.map((row) => [
      row.agreement_id,
      { count: row.count, inPeriod: row.in_period, hasLast: row.has_last },
    ]),
  )
  return ({ id }) => {
    const tally = tallies.get(id)
    if (tally === undefined) throw new Error('an agreement was not tallied')
    return tally
  }
}

/** How many payments of a locked agreement have not failed, counted up to `most`. */
export async function countPayments(queries: Queries, agreementId: string, most: number): Promise<number> {
  const [row] = await queries.run(paymentCount, { agreement_id: agreementId, most })
  return row?.count ?? 0
}

/** Adds payments of locked agreements. Skips one for a due day that has its payment already. */
export async function addPayments(
  queries: Queries,
  payments: readonly NewPayment[],
  by: 'merchant' | 'service',
  at: Date,
): Promise<Payment[]> {
  if (payments.length === 0) return []
  return (await queries.run(paymentsToAdd, { ...toArrays(payments), actor: by, now: at })).map(toPayment)
}

/** The payment that a request with this key made before, and the hash of that request. */
export async function findPaymentByRequest(
  queries: Queries,
  requestKey: string,
): Promise<{ payment: Payment; hash: string | null } | null> {
  const [row] = await queries.run(paymentByRequest, { idempotency_key_hash: requestKey })
  return row === undefined ? null : { payment: toPayment(row), hash: row.request_hash }
}

/** Forgets a batch of keys that are 30 days old (contract §2); returns how many. */
export async function forgetRequests(queries: Queries): Promise<number> {
  return countIn(await queries.run(oldRequests, {}))
}

export function toPayment(row: ValuesOf<typeof paymentColumns>): Payment {
  return {
    id: row.id,
    agreementId: row.agreement_id,
    merchantId: row.merchant_id,
    agreementVersion: row.agreement_version,
    status: row.status,
    amount: row.amount,
    reference: row.reference,
    description: row.description,
    isLast: row.is_last,
    dueOn: row.due_on,
    countsOn: row.counts_on,
    failure: row.failure,
    networkReference: row.network_reference,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    investigatedAt: row.investigated_at,
    endedAt: row.ended_at,
    updatedAt: row.updated_at,
  }
}

function toArrays(payments: readonly NewPayment[]) {
  return {
    ids: payments.map(({ id }) => id),
    agreement_ids: payments.map(({ agreementId }) => agreementId),
    merchant_ids: payments.map(({ merchantId }) => merchantId),
    agreement_versions: payments.map(({ agreementVersion }) => agreementVersion),
    agreement_revisions: payments.map(({ agreementRevision }) => agreementRevision),
    amounts: payments.map(({ amount }) => amount),
    references: payments.map(({ reference }) => reference),
    descriptions: payments.map(({ description }) => description),
    are_last: payments.map(({ isLast }) => isLast),
    due_days: payments.map(({ dueOn }) => dueOn),
    counting_days: payments.map(({ countsOn }) => countsOn),
    idempotency_key_hashes: payments.map(({ idempotentRequest }) => idempotentRequest?.key ?? null),
    request_hashes: payments.map(({ idempotentRequest }) => idempotentRequest?.hash ?? null),
    event_ids: payments.map(({ eventId }) => eventId),
  }
}
