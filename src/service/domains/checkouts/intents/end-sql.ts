import type { CHECKOUT_ENDS } from '../../../../contract/api/checkouts/checkout-resource.ts'
import { arrayOf, text } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import type { WriteEvent } from '../../../platform/write-event.ts'
import { intentColumns } from './intent-row.ts'
import { columns, IS_OVER_WITHOUT_INDEX, IS_OVER, OF_CHARGE, step, takes } from './intent-sql.ts'

/** The names of what `columns` selects. */
const names = Object.keys(intentColumns).join(', ')

/** The event of an end, of each row of `from`; a merchant hears of it by `checkout.…`. */
const eventOf = (end: (typeof CHECKOUT_ENDS)[number], { id, from }: { id: string; from: string }) => ({
  id,
  merchant: 'merchant_id',
  type: `'checkout.${end}'`,
  subject: 'id',
  actor: end === 'cancelled' ? "'merchant'" : "'service'",
  facts: "jsonb_build_object('amount', amount, 'currency', currency, 'charge_id', charge_id)",
  from,
})

/** No row when it is not paid by this charge; so of `cancelIntent` when it can't be cancelled. */
export const completeIntent = (writeEvent: WriteEvent) =>
  statement({
    name: 'checkout_intent_complete',
    values: { id: text, charge_id: text, event_id: text },
    columns: intentColumns,
    sql: `
      WITH ended AS (
        UPDATE checkout_intents
        SET status = 'completed', journey = journey || ${step('paid', OF_CHARGE)}, revision = revision + 1, updated_at = now()
        WHERE id = :id AND ${takes('complete')} AND charge_id = :charge_id RETURNING ${columns}
      ), event AS (${writeEvent(eventOf('completed', { id: ':event_id', from: 'ended' }))})
      SELECT ${names} FROM ended`,
  })

export const cancelIntent = (writeEvent: WriteEvent) =>
  statement({
    name: 'checkout_intent_cancel',
    values: { id: text, event_id: text },
    columns: intentColumns,
    sql: `
      WITH ended AS (
        UPDATE checkout_intents
        SET status = 'cancelled', journey = journey || ${step('cancelled')}, revision = revision + 1, updated_at = now()
        WHERE id = :id AND ${takes('cancel')} RETURNING ${columns}
      ), event AS (${writeEvent(eventOf('cancelled', { id: ':event_id', from: 'ended' }))})
      SELECT ${names} FROM ended`,
  })

/** Intents whose time is over. An intent whose payment is under way is skipped: the payment's outcome comes first. */
export const findOver = statement({
  name: 'find_over_checkout_intents',
  values: {},
  columns: { id: text },
  sql: `SELECT id FROM checkout_intents WHERE ${IS_OVER} ORDER BY expires_at LIMIT 500`,
})

/** Of these, what is still over, each for one process. */
export const expireIntents = (writeEvent: WriteEvent) =>
  statement({
    name: 'expire_checkout_intents',
    values: { ids: arrayOf(text), event_ids: arrayOf(text) },
    columns: {},
    sql: `
      WITH over AS (
        SELECT intent.id, event.id AS event_id
        FROM unnest(:ids::text[], :event_ids::text[]) AS event (intent_id, id) JOIN checkout_intents intent ON intent.id = event.intent_id
        WHERE ${IS_OVER_WITHOUT_INDEX} FOR UPDATE OF intent SKIP LOCKED
      ), ended AS (
        UPDATE checkout_intents intent
        SET status = 'expired', updated_at = now(), revision = revision + 1,
            journey = journey || jsonb_build_array(jsonb_build_object('step', 'expired', 'at', expires_at))
        FROM over WHERE intent.id = over.id AND ${IS_OVER_WITHOUT_INDEX}
        RETURNING intent.id, intent.merchant_id, intent.amount, intent.currency, intent.charge_id, over.event_id
      )
      ${writeEvent(eventOf('expired', { id: 'event_id', from: 'ended' }))}`,
  })
