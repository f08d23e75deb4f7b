import {
  arrayOf,
  integer,
  jsonb,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../../../platform/database/sql-types.ts'
import { statement } from '../../../../platform/database/statement.ts'
import { sqlConditionFor } from '../../../../platform/state-machine.ts'
import type { WriteEvent } from '../../../../platform/write-event.ts'
import { laterThan } from '../../statements/agreement-sql.ts'
import { IS_FIRST } from '../../statements/instruction-sql.ts'
import { AWAITS_RELEASE, PUT_OFF_BY_PAYMENT, lookAgainAt } from '../../statements/network-order.ts'
import { columnsOf, paymentColumns } from '../payment-row.ts'
import { paymentMoves } from '../payment.ts'
import type { PaymentAction, PaymentFailure, PaymentState } from '../payment.ts'

const takes = (action: PaymentAction): string =>
  sqlConditionFor(paymentMoves, action, (state) => `p.status = '${state}'`)

/** What waits for the network: to be given to it, or for its answer. */
const WAITING = {
  toSend: "status = 'received'",
  unanswered: "status IN ('processing', 'under_investigation')",
} as const
/** As `next_at` says, at once or later. */
export const IS_TO_SEND = `next_at IS NOT NULL AND ${WAITING.toSend}`

/**
 * The payments that are due to be sent, or to be asked after: of each merchant what is due first, and of all of them some four times
 * what can begin. It goes from one merchant with such payments to the next by the index, so that one with many does not hide the others.
 */
export const findWaiting = (which: keyof typeof WAITING) => {
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

/** When a payment `p` changes. */
const NEXT = laterThan('p.updated_at')

const takenColumns = { ...paymentColumns, attempts: integer }

/**
 * Takes those that are still to be sent: from now on the network may have them, and until the lease ends they are this process's. What has
 * to wait for a release is put off instead.
 */
export const markProcessing = (writeEvent: WriteEvent) =>
  statement({
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
      ), event AS (${writeEvent({ ...eventOf('sent'), type: "'payment.processing'" })})
      SELECT ${columnsOf('sent')}, attempts FROM sent`,
  })

/** Takes those that still have no answer, each for one process at a time. */
export const takeUnanswered = statement({
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

/** No answer yet, or it is still under investigation: it is asked after again at its time. */
export const askLater = statement({
  name: 'ask_after_payments_later',
  values: { ids: arrayOf(text), next_times: arrayOf(timestamptz) },
  columns: {},
  sql: `
    UPDATE agreement_payments p SET next_at = later.next_at
    FROM unnest(:ids::text[], :next_times::timestamptz[]) AS later (id, next_at)
    WHERE p.id = later.id AND ${WAITING.unanswered}`,
})

/** Records what became of payments, each in a state that it can follow on. What waited for them to be told is due. */
export const recordOutcomes = (writeEvent: WriteEvent) =>
  statement({
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
      ), event AS (${writeEvent({ ...eventOf('recorded'), type: "'payment.' || status" })})
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
