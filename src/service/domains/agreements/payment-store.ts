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
import { sqlConditionFor } from '../../platform/state-machine.ts'
import { laterThan } from './agreement-store.ts'
import type { Agreement } from './agreement.ts'
import { LAST_DAY } from './calendar.ts'
import type { Day } from './calendar.ts'
import { AWAITS_RELEASE, IS_FIRST, PUT_OFF_BY_PAYMENT, lookAgainAt } from './network-order.ts'
import { countOf, paymentMoves, periodOf } from './payment.ts'
import type {
  NewPayment,
  Payment,
  PaymentAction,
  PaymentFailure,
  PaymentResult,
  PaymentState,
  Tally,
} from './payment.ts'

/** Longer than a call to the network and what follows it. After that, another process asks for the outcome. */
const LEASE_MS = 60_000

/** A period without a day. */
const NO_PERIOD = { from: LAST_DAY, to: '' }

/** A payment that this process has taken, and how often the network was called for it. */
export interface TakenPayment extends Payment {
  attempts: number
}

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
  values: { request_key: text },
  columns: { ...paymentColumns, request_hash: nullable(text) },
  sql: `SELECT ${columns}, request_hash FROM agreement_payments WHERE request_key = :request_key`,
})

/** Forgets some keys of requests that are 30 days old (contract §2). */
export const oldRequests = statement({
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

const takes = (action: PaymentAction): string =>
  sqlConditionFor(paymentMoves, action, (state) => `p.status = '${state}'`)

/** Payments that wait for the network: to be sent, or for its answer. */
export const WAITING = {
  toSend: "status = 'received'",
  unanswered: "status IN ('processing', 'under_investigation')",
} as const

/** The time of a change of a payment `p`. */
const NEXT = laterThan('p.updated_at')

const takenColumns = { ...paymentColumns, attempts: integer }

/** Takes those that still have no answer, each for one process at a time. */
const unansweredToTake = statement({
  name: 'take_unanswered_payments',
  values: { ids: arrayOf(text), now: timestamptz, leased_until: timestamptz },
  columns: takenColumns,
  sql: `
    WITH chosen AS (
      SELECT p.id FROM agreement_payments p
      WHERE p.id = ANY(:ids) AND p.next_at <= :now AND ${WAITING.unanswered} FOR UPDATE SKIP LOCKED
    )
    UPDATE agreement_payments p SET next_at = :leased_until, attempts = attempts + 1
    FROM chosen WHERE p.id = chosen.id RETURNING ${columnsOf('p')}, p.attempts`,
})

/** Only those that still have no final outcome. */
const paymentsToAskLater = statement({
  name: 'ask_after_payments_later',
  values: { ids: arrayOf(text), next_times: arrayOf(timestamptz) },
  columns: {},
  sql: `
    UPDATE agreement_payments p SET next_at = later.next_at
    FROM unnest(:ids::text[], :next_times::timestamptz[]) AS later (id, next_at)
    WHERE p.id = later.id AND ${WAITING.unanswered}`,
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
    event AS (${eventSql({
      ...eventOf('added_with_event'),
      type: "'payment.received'",
      actor: ':actor::text',
    })})
    SELECT ${columns} FROM added`,
})

/**
 * Takes those that are still to be sent: from now on the network may have them, and they belong to this process until the lease ends.
 * Puts off those that wait for a release.
 */
const paymentsToSend = statement({
  name: 'mark_payments_processing',
  values: { ids: arrayOf(text), event_ids: arrayOf(text), now: timestamptz, leased_until: timestamptz },
  columns: takenColumns,
  sql: `
    WITH chosen AS (
      SELECT p.id, event.id AS event_id, ${AWAITS_RELEASE} AS awaits
      FROM unnest(:ids::text[], :event_ids::text[]) AS event (payment_id, id)
      JOIN agreement_payments p ON p.id = event.payment_id
      WHERE ${takes('send')} AND p.next_at <= :now FOR UPDATE OF p SKIP LOCKED
    ), put_off AS (
      UPDATE agreement_payments p SET next_at = ${lookAgainAt('p.created_at')}
      FROM chosen WHERE p.id = chosen.id AND chosen.awaits
    ), sent AS (
      UPDATE agreement_payments p
      SET status = 'processing', sent_at = ${NEXT}, updated_at = ${NEXT}, next_at = :leased_until, attempts = 1
      FROM chosen WHERE p.id = chosen.id AND NOT chosen.awaits AND ${takes('send')}
      RETURNING ${columnsOf('p')}, p.attempts, chosen.event_id
    ), event AS (${eventSql({ ...eventOf('sent'), type: "'payment.processing'" })})
    SELECT ${columnsOf('sent')}, attempts FROM sent`,
})

/** Records outcomes of payments, each if the payment's state can follow on. Instructions that waited for them are due. */
const outcomesToRecord = statement({
  name: 'record_payment_outcomes',
  values: {
    ids: arrayOf(text),
    statuses: arrayOf(textOf<PaymentState>()),
    failures: arrayOf(nullable(jsonb<PaymentFailure>())),
    references: arrayOf(nullable(text)),
    next_times: arrayOf(nullable(timestamptz)),
    event_ids: arrayOf(text),
    now: timestamptz,
  },
  columns: paymentColumns,
  sql: `
    WITH outcome AS (
      SELECT * FROM unnest(:ids::text[], :statuses::text[], :failures::jsonb[], :references::text[],
        :next_times::timestamptz[], :event_ids::text[]) AS outcome (id, status, failure, reference, next_at, event_id)
    ), recorded AS (
      UPDATE agreement_payments p
      SET status = outcome.status, failure = outcome.failure, next_at = outcome.next_at, updated_at = ${NEXT},
          network_reference = coalesce(outcome.reference, p.network_reference),
          investigated_at = CASE outcome.status WHEN 'under_investigation' THEN ${NEXT} ELSE p.investigated_at END,
          ended_at = CASE WHEN outcome.status <> 'under_investigation' THEN ${NEXT} END
      FROM outcome
      WHERE p.id = outcome.id AND CASE outcome.status
        WHEN 'settled' THEN ${takes('settle')}
        WHEN 'failed' THEN ${takes('fail')}
        WHEN 'under_investigation' THEN ${takes('investigate')}
      END
      RETURNING ${columnsOf('p')}, outcome.event_id
    ), waiting AS (
      SELECT i.id FROM recorded settled JOIN network_instructions i ON ${PUT_OFF_BY_PAYMENT}
      WHERE ${IS_FIRST} FOR UPDATE OF i SKIP LOCKED
    ), due AS (
      UPDATE network_instructions i SET next_at = :now FROM waiting WHERE i.id = waiting.id
    ), event AS (${eventSql({ ...eventOf('recorded'), type: "'payment.' || status" })})
    SELECT ${columnsOf('recorded')} FROM recorded`,
})

function eventOf(from: string) {
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
): Promise<(agreement: Agreement) => Tally> {
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
  const [row] = await queries.run(paymentByRequest, { request_key: requestKey })
  return row === undefined ? null : { payment: toPayment(row), hash: row.request_hash }
}

/** Forgets a batch of keys that are 30 days old (contract §2); returns how many. */
export async function forgetRequests(queries: Queries): Promise<number> {
  return countIn(await queries.run(oldRequests, {}))
}

/** Takes those that are still to be sent: they are `processing`, and belong to this process until the lease ends. */
export async function markProcessing(
  queries: Queries,
  payments: readonly { id: string; eventId: string }[],
  now: Date,
): Promise<TakenPayment[]> {
  const values = {
    ids: payments.map(({ id }) => id),
    event_ids: payments.map(({ eventId }) => eventId),
    ...leaseFrom(now),
  }
  return (await queries.run(paymentsToSend, values)).map(toTaken)
}

/** Takes those that still have no answer, likewise. */
export async function takeUnanswered(
  queries: Queries,
  ids: readonly string[],
  now: Date,
): Promise<TakenPayment[]> {
  return (await queries.run(unansweredToTake, { ids, ...leaseFrom(now) })).map(toTaken)
}

/** Keeps when to ask for the outcome again. */
export async function askLater(
  queries: Queries,
  payments: readonly { paymentId: string; nextAt: Date }[],
): Promise<void> {
  await queries.run(paymentsToAskLater, {
    ids: payments.map(({ paymentId }) => paymentId),
    next_times: payments.map(({ nextAt }) => nextAt),
  })
}

/** Records outcomes; returns the payments that could be recorded. Another process was faster with the rest. */
export async function recordOutcomes(
  queries: Queries,
  results: readonly (PaymentResult & { eventId: string })[],
  now: Date,
): Promise<Payment[]> {
  const rows = await queries.run(outcomesToRecord, {
    ids: results.map(({ paymentId }) => paymentId),
    statuses: results.map(({ status }) => status),
    failures: results.map(({ failure }) => failure),
    references: results.map(({ reference }) => reference),
    next_times: results.map(({ nextAt }) => nextAt),
    event_ids: results.map(({ eventId }) => eventId),
    now,
  })
  return rows.map(toPayment)
}

function leaseFrom(now: Date) {
  return { now, leased_until: new Date(now.getTime() + LEASE_MS) }
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

function toTaken(row: ValuesOf<typeof takenColumns>): TakenPayment {
  return { ...toPayment(row), attempts: row.attempts }
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
    request_keys: payments.map(({ idempotentRequest }) => idempotentRequest?.key ?? null),
    request_hashes: payments.map(({ idempotentRequest }) => idempotentRequest?.hash ?? null),
    event_ids: payments.map(({ eventId }) => eventId),
  }
}
