import {
  arrayOf,
  bigint,
  bool,
  cents,
  integer,
  nullable,
  text,
  timestamptz,
} from '../../../../platform/database/sql-types.ts'
import { batchColumns, batchOf } from '../../../../platform/jobs/batches.ts'
import { statement } from '../../../../platform/database/statement.ts'
import type { WriteEvent } from '../../../../platform/write-event.ts'
import { columns, columnsOf, paymentColumns } from '../payment-row.ts'

/**
 * For each of some agreements its payments that have not failed: how many there are, up to `most`, how many of them are in a
 * period, and whether the last is among them. Right only while the agreements are locked.
 */
export const tallyPayments = statement({
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

/** How many payments of an agreement have not failed, up to `most`. Right only while it is locked. */
export const countPayments = statement({
  name: 'count_agreement_payments',
  values: { agreement_id: text, most: bigint },
  columns: { count: bigint },
  sql: `
    SELECT count(*) FROM (
      SELECT FROM agreement_payments WHERE agreement_id = :agreement_id AND status <> 'failed' LIMIT :most
    ) counted_ones`,
})

/** Adds payments with their events. One for a due day that has its payment already is left out. */
export const addPayments = (writeEvent: WriteEvent) =>
  statement({
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
      request_keys: arrayOf(nullable(text)),
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
          :counting_days::text[], :request_keys::text[], :request_hashes::text[], :event_ids::text[])
          AS requested (id, agreement_id, merchant_id, agreement_version, agreement_revision, amount, reference, description,
                     is_last, due_on, counts_on, request_key, request_hash, event_id)
      ), added AS (
        INSERT INTO agreement_payments (id, agreement_id, merchant_id, agreement_version, agreement_revision, status,
          amount, reference, description, is_last, due_on, counts_on, request_key, request_hash, next_at, created_at, updated_at)
        SELECT id, agreement_id, merchant_id, agreement_version, agreement_revision, 'received', amount, reference,
          description, is_last, due_on, counts_on, request_key, request_hash, :now::timestamptz, :now, :now FROM requested
        ON CONFLICT (agreement_id, due_on) WHERE due_on IS NOT NULL DO NOTHING
        RETURNING ${columns}
      ), added_with_event AS (SELECT ${columnsOf('added')}, requested.event_id FROM added JOIN requested USING (id)),
      event AS (${writeEvent({
        id: 'event_id',
        merchant: 'merchant_id',
        type: "'payment.received'",
        subject: 'id',
        actor: ':actor::text',
        facts: "jsonb_build_object('agreement', agreement_id, 'amount', amount, 'status', status)",
        from: 'added_with_event',
      })})
      SELECT ${columns} FROM added`,
  })

/** The payment that a request made when it came before. */
export const findPaymentByRequest = statement({
  name: 'find_agreement_payment_by_request',
  values: { request_key: text },
  columns: { ...paymentColumns, request_hash: nullable(text) },
  sql: `SELECT ${columns}, request_hash FROM agreement_payments WHERE request_key = :request_key`,
})

/** Forgets some keys of requests that are 30 days old (contract §2). */
export const forgetPaymentRequests = statement({
  name: 'forget_payment_requests',
  values: {},
  columns: batchColumns,
  sql: batchOf({
    change: 'UPDATE agreement_payments SET request_key = NULL',
    key: 'id',
    order: 'created_at',
    found: `agreement_payments WHERE request_key IS NOT NULL AND created_at <= now() - interval '30 days'`,
  }),
})
