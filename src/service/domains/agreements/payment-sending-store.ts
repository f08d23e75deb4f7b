import type { Queries } from '../../platform/database/database.ts'
import {
  arrayOf,
  bigint,
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
import { sqlConditionFor } from '../../platform/state-machine.ts'
import { agreementColumns, columns as agreementFields, laterThan, toAgreement } from './agreement-store.ts'
import { agreementMoves } from './agreement.ts'
import type { Agreement } from './agreement.ts'
import { AWAITS_RELEASE, IS_FIRST, PUT_OFF_BY_PAYMENT, lookAgainAt } from './network-order.ts'
import { columnsOf, eventOf, paymentColumns, toPayment } from './payment-store.ts'
import { paymentMoves } from './payment.ts'
import type { Payment, PaymentAction, PaymentFailure, PaymentResult, PaymentState } from './payment.ts'

/** Longer than a call to the network and what follows it. After that, another process asks for the outcome. */
const LEASE_MS = 60_000

/** A payment that waits for the network, as a candidate to be chosen. */
export interface WaitingPayment {
  id: string
  merchantId: string
}

/** A payment that this process has taken, and how often the network was called for it. */
export interface TakenPayment extends Payment {
  attempts: number
}

const allows = (action: PaymentAction): string =>
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

/**
 * Payments that are due to be sent, or to be asked after: per merchant those that are due first, and overall about four times `most`.
 * It jumps through the index from one merchant with such payments to the next, so that one with many does not hide the others.
 */
const waitingFor = (which: keyof typeof WAITING) => {
  const due = `next_at IS NOT NULL AND ${WAITING[which]} AND next_at <= :now`
  return statement({
    name: which === 'toSend' ? 'find_payments_to_send' : 'find_unanswered_payments',
    values: { now: timestamptz, most: integer },
    columns: { id: text, merchant_id: text },
    sql: `
      WITH RECURSIVE merchant AS (
        (SELECT merchant_id AS id FROM agreement_payments WHERE ${due} ORDER BY merchant_id LIMIT 1)
        UNION ALL
        SELECT (SELECT merchant_id FROM agreement_payments
                WHERE merchant_id > merchant.id AND ${due} ORDER BY merchant_id LIMIT 1)
        FROM merchant WHERE merchant.id IS NOT NULL
      ), share AS (
        SELECT id, ceil(4.0 * :most::integer / count(*) OVER ())::integer AS most FROM merchant WHERE id IS NOT NULL
      )
      SELECT waiting.id, waiting.merchant_id FROM share CROSS JOIN LATERAL (
        SELECT id, merchant_id FROM agreement_payments
        WHERE merchant_id = share.id AND ${due} ORDER BY next_at LIMIT share.most
      ) waiting`,
  })
}

export const waitingPayments = { toSend: waitingFor('toSend'), unanswered: waitingFor('unanswered') }

/** Finds payments that wait to be sent, or for an outcome: about four times `most`, to choose from. */
export async function findWaiting(
  queries: Queries,
  which: keyof typeof waitingPayments,
  most: number,
  now: Date,
): Promise<WaitingPayment[]> {
  const rows = await queries.run(waitingPayments[which], { most, now })
  return rows.map((row) => ({ id: row.id, merchantId: row.merchant_id }))
}

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
      WHERE ${allows('send')} AND p.next_at <= :now FOR UPDATE OF p SKIP LOCKED
    ), put_off AS (
      UPDATE agreement_payments p SET next_at = ${lookAgainAt('p.created_at')}
      FROM chosen WHERE p.id = chosen.id AND chosen.awaits
    ), sent AS (
      UPDATE agreement_payments p
      SET status = 'processing', sent_at = ${NEXT}, updated_at = ${NEXT}, next_at = :leased_until, attempts = 1
      FROM chosen WHERE p.id = chosen.id AND NOT chosen.awaits AND ${allows('send')}
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
        WHEN 'settled' THEN ${allows('settle')}
        WHEN 'failed' THEN ${allows('fail')}
        WHEN 'under_investigation' THEN ${allows('investigate')}
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

/** Of agreements with payments that have just settled, those that may end now, locked in the order of their ids. */
export const endingToLock = statement({
  name: 'lock_ending_agreements',
  values: { ids: arrayOf(text), last_ids: arrayOf(text) },
  columns: agreementColumns,
  sql: `
    SELECT ${agreementFields} FROM agreements
    WHERE id = ANY(:ids) AND (max_payments IS NOT NULL OR id = ANY(:last_ids))
      AND ${sqlConditionFor(agreementMoves, 'expire', (state) => `status = '${state}'`)}
    ORDER BY id FOR NO KEY UPDATE`,
})

/** How many payments of agreements have settled. Exact only while they are locked. */
export const settledCounts = statement({
  name: 'count_settled_payments',
  values: { agreement_ids: arrayOf(text) },
  columns: { agreement_id: text, count: bigint },
  sql: `
    SELECT agreement_id, count(*) FROM agreement_payments
    WHERE agreement_id = ANY(:agreement_ids) AND status = 'settled' GROUP BY agreement_id`,
})

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

/** Of payments that have just settled, locks the agreements that have no other payment to come. */
export async function lockEnding(queries: Queries, settled: readonly Payment[]): Promise<Agreement[]> {
  if (settled.length === 0) return []
  const lastIds = new Set(settled.filter(({ isLast }) => isLast).map(({ agreementId }) => agreementId))
  const ids = settled.map(({ agreementId }) => agreementId)
  const ending = (await queries.run(endingToLock, { ids, last_ids: [...lastIds] })).map(toAgreement)
  if (ending.length === 0) return []
  const rows = await queries.run(settledCounts, { agreement_ids: ending.map(({ id }) => id) })
  const counts = new Map(rows.map((row) => [row.agreement_id, row.count]))
  return ending.filter(
    ({ id, maxPayments }) =>
      lastIds.has(id) || (maxPayments !== null && (counts.get(id) ?? 0) >= maxPayments),
  )
}

function toTaken(row: ValuesOf<typeof takenColumns>): TakenPayment {
  return { ...toPayment(row), attempts: row.attempts }
}
