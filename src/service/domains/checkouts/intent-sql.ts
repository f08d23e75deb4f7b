import { statement } from '../../platform/database/database.ts'
import type { IntentRow } from './intent-row.ts'
import { LIFETIME_SECONDS } from './intent.ts'

const IS_OVER = `status = 'active' AND charge_id IS NULL AND expires_at <= now()`
const STATUS = `CASE WHEN ${IS_OVER} THEN 'expired' ELSE status END`

const columns = `
  id, merchant_id, workflow_version, ${STATUS} AS status, amount, currency, reference, description, customer,
  configuration, customisation, journey, charge_id, payment_source_hash, tries, request_hash, revision, created_at, updated_at,
  expires_at, (extract(epoch FROM now() - created_at) * 1000)::float8 AS age_ms`

const step = (name: string, facts = '') =>
  `jsonb_build_array(jsonb_build_object('step', '${name}', 'at', now()::timestamptz(3)${facts}))`

/** Every move is one statement: the status, what led to it, and the count by which racers tell. */
const move = (name: string, changes: string, when: string) =>
  statement<IntentRow>(
    name,
    `UPDATE checkout_intents SET ${changes}, revision = revision + 1, updated_at = now()
     WHERE id = $1 AND ${when} RETURNING ${columns}`,
  )

/** No row when the same request came before. */
export const addIntent = statement<IntentRow>(
  'add_checkout_intent',
  `INSERT INTO checkout_intents
     (id, merchant_id, workflow_version, amount, currency, reference, description, customer, configuration,
      customisation, request_key, request_hash, status, journey, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'active', ${step('created')},
           now() + ${String(LIFETIME_SECONDS)} * interval '1 second')
   ON CONFLICT DO NOTHING RETURNING ${columns}`,
)

export const findIntent = statement<IntentRow>(
  'find_checkout_intent',
  `SELECT ${columns} FROM checkout_intents WHERE id = $1`,
)

export const findIntentByRequest = statement<IntentRow>(
  'find_checkout_intent_by_request',
  `SELECT ${columns} FROM checkout_intents WHERE request_key = $1`,
)

/** A page of a merchant's intents that pass a filter, newest first. */
export const listIntents = statement<IntentRow>(
  'list_checkout_intents',
  `SELECT ${columns} FROM checkout_intents
   WHERE merchant_id = $1 AND ($2::timestamptz IS NULL OR (created_at, id) < ($2, $3))
     AND ($4::text IS NULL OR ${STATUS} = $4) AND ($5::text IS NULL OR reference = $5)
     AND ($6::timestamptz IS NULL OR created_at >= $6) AND ($7::timestamptz IS NULL OR created_at < $7)
   ORDER BY created_at DESC, id DESC LIMIT $8 OFFSET $9`,
)

/** Notes the first time that a page showed it. */
export const viewIntent = move(
  'view_checkout_intent',
  `viewed_at = now(), journey = journey || ${step('viewed')}`,
  `viewed_at IS NULL AND status = 'active' AND NOT (${IS_OVER})`,
)

/** Takes the intent for one charge, `$2`, if it is still as it was read and its time is not over. */
export const beginPayment = move(
  'begin_checkout_payment',
  `charge_id = $2, payment_source_hash = $3, tries = tries + 1,
   journey = journey || ${step('payment_tried', ", 'charge_id', $2::text")}`,
  `status = 'active' AND charge_id IS NULL AND expires_at > now() AND revision = $4`,
)

export const completeIntent = move(
  'complete_checkout_intent',
  `status = 'completed', journey = journey || ${step('paid', ", 'charge_id', $2::text")}`,
  `status = 'active' AND charge_id = $2`,
)

/** Gives the intent back for another try; `$3` is the failure's code. */
export const failPayment = move(
  'fail_checkout_payment',
  `charge_id = NULL, tries = tries - CASE WHEN $3 = 'gateway_unavailable' THEN 1 ELSE 0 END,
   journey = journey || ${step('payment_failed', ", 'charge_id', $2::text, 'code', $3::text")}`,
  `status = 'active' AND charge_id = $2`,
)

export const cancelIntent = move(
  'cancel_checkout_intent',
  `status = 'cancelled', journey = journey || ${step('cancelled')}`,
  `status = 'active' AND charge_id IS NULL AND expires_at > now()`,
)

/** One whose payment is under way is left: what became of the money comes first. */
export const expireIntents = statement(
  'expire_checkout_intents',
  `UPDATE checkout_intents
   SET status = 'expired', updated_at = now(), revision = revision + 1,
       journey = journey || jsonb_build_array(jsonb_build_object('step', 'expired', 'at', expires_at))
   WHERE id IN (SELECT id FROM checkout_intents WHERE ${IS_OVER}
                ORDER BY expires_at LIMIT 500 FOR UPDATE SKIP LOCKED)`,
)

/** What changed a while ago, or in the future: the clock was set back since. */
const LEFT_ALONE = "(updated_at <= now() - interval '2 seconds' OR updated_at > now() + interval '2 seconds')"

/** Intents, from one id on, whose payment was under way a while ago. */
export const findUnsettled = statement<IntentRow>(
  'find_unsettled_checkout_intents',
  `SELECT ${columns} FROM checkout_intents
   WHERE status = 'active' AND charge_id IS NOT NULL AND ${LEFT_ALONE} AND id > $1
   ORDER BY id LIMIT 100`,
)

/** Lets go of the keys of requests that are 30 days old (contract §2). */
export const forgetRequests = statement(
  'forget_checkout_requests',
  `UPDATE checkout_intents SET request_key = NULL
   WHERE request_key IS NOT NULL AND created_at <= now() - interval '30 days'`,
)
