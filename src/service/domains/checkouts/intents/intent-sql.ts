import { batchColumns, batchOf } from '../../../platform/jobs/batches.ts'
import { bytea, cents, integer, json, nullable, text, textOf } from '../../../platform/database/sql-types.ts'
import type { SqlTypes } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import { sqlConditionFor } from '../../../platform/state-machine.ts'
import type { ErrorCode } from '../../../../contract/api/envelope.ts'
import type { CheckoutCustomer } from '../../../../contract/api/checkouts/checkout-request.ts'
import type { Configuration, Customisation } from '../../../../contract/api/checkouts/checkout-template.ts'
import { intentColumns } from './intent-row.ts'
import { intentMoves, LIFETIME_SECONDS } from './intent.ts'
import type { IntentAction, IntentState, Snapshot } from './intent.ts'

/** Nobody can pay it any more, whether or not the job has marked it. */
export const IS_OVER = "status = 'active' AND charge_id IS NULL AND expires_at <= now()"
/** The status as a reader is to see it. */
export const STATUS = `CASE WHEN ${IS_OVER} THEN 'expired' ELSE status END`

/**
 * The status of an intent that is found by its id. Not the bare column, or the index of active intents would be taken for a shorter way
 * to it, however many are active.
 */
const STATUS_WITHOUT_INDEX = "(status || '')"
/** As `IS_OVER`, of an intent that is found by its id. */
export const IS_OVER_WITHOUT_INDEX = `${STATUS_WITHOUT_INDEX} = 'active' AND charge_id IS NULL AND expires_at <= now()`

/** The SQL condition of each state, of an intent that is found by its id. One whose time is over counts as expired before the job has marked it. */
const IN_STATE: Readonly<Record<IntentState, string>> = {
  payable: `(${STATUS_WITHOUT_INDEX} = 'active' AND charge_id IS NULL AND expires_at > now())`,
  paying: `(${STATUS_WITHOUT_INDEX} = 'active' AND charge_id IS NOT NULL)`,
  completed: `(${STATUS_WITHOUT_INDEX} = 'completed')`,
  expired: `(${STATUS_WITHOUT_INDEX} = 'expired' OR ${IS_OVER_WITHOUT_INDEX})`,
  cancelled: `(${STATUS_WITHOUT_INDEX} = 'cancelled')`,
}
/** Whether a row is in a state that takes this action, as SQL. */
export const takes = (action: IntentAction): string =>
  sqlConditionFor(intentMoves, action, (state) => IN_STATE[state])

export const columns = `
  id, merchant_id, workflow_version, ${STATUS} AS status, amount, currency, reference, description, customer,
  configuration, customisation, journey, charge_id, payment_source_hash, tries, request_hash, revision, created_at, updated_at,
  expires_at, (extract(epoch FROM now() - created_at) * 1000)::float8 AS age_ms`

/** One more step of the journey, as it happens. */
export const step = (name: string, facts = '') =>
  `jsonb_build_array(jsonb_build_object('step', '${name}', 'at', now()::timestamptz(3)${facts}))`

/**
 * A move is one statement, which changes the status, the journey and the revision together. Without a row it did not come
 * about: the intent is in a state that does not take this action, or has changed since it was read.
 */
const move = <Values extends SqlTypes>(
  action: IntentAction,
  values: Values,
  { changes, also = '' }: { changes: string; also?: string },
) =>
  statement({
    name: `checkout_intent_${action}`,
    values: { ...values, id: text },
    columns: intentColumns,
    sql: `
      UPDATE checkout_intents SET ${changes}, revision = revision + 1, updated_at = now()
      WHERE id = :id AND ${takes(action)} ${also} RETURNING ${columns}`,
  })

/** No row when the same request came before. */
export const addIntent = statement({
  name: 'add_checkout_intent',
  values: {
    id: text,
    merchant_id: text,
    workflow_version: integer,
    amount: cents,
    currency: textOf<'AUD'>(),
    reference: nullable(text),
    description: nullable(text),
    customer: json<CheckoutCustomer>(),
    configuration: json<Snapshot<Configuration>>(),
    customisation: json<Snapshot<Customisation>>(),
    request_key: nullable(text),
    request_hash: nullable(text),
  },
  columns: intentColumns,
  sql: `
    INSERT INTO checkout_intents
      (id, merchant_id, workflow_version, amount, currency, reference, description, customer, configuration,
       customisation, request_key, request_hash, status, journey, expires_at)
    VALUES (:id, :merchant_id, :workflow_version, :amount, :currency, :reference, :description, :customer, :configuration,
            :customisation, :request_key, :request_hash, 'active', ${step('created')},
            now() + ${String(LIFETIME_SECONDS)} * interval '1 second')
    ON CONFLICT DO NOTHING RETURNING ${columns}`,
})

export const findIntent = statement({
  name: 'find_checkout_intent',
  values: { id: text },
  columns: intentColumns,
  sql: `SELECT ${columns} FROM checkout_intents WHERE id = :id`,
})

export const findIntentByRequest = statement({
  name: 'find_checkout_intent_by_request',
  values: { request_key: text },
  columns: intentColumns,
  sql: `SELECT ${columns} FROM checkout_intents WHERE request_key = :request_key`,
})

/** Notes the first time that a page showed it. */
export const viewIntent = move(
  'view',
  {},
  { changes: `viewed_at = now(), journey = journey || ${step('viewed')}`, also: 'AND viewed_at IS NULL' },
)

export const OF_CHARGE = ", 'charge_id', :charge_id::text"

/** Takes the intent for one charge, if it is still as it was read. */
export const beginPayment = move(
  'begin_payment',
  { charge_id: text, payment_source_hash: bytea, revision: integer },
  {
    changes: `charge_id = :charge_id, payment_source_hash = :payment_source_hash, tries = tries + 1,
              journey = journey || ${step('payment_tried', OF_CHARGE)}`,
    also: 'AND revision = :revision',
  },
)

/** Gives the intent back for another try; `code`: why the payment failed. */
export const failPayment = move(
  'fail_payment',
  { charge_id: text, code: textOf<ErrorCode>() },
  {
    changes: `charge_id = NULL, tries = tries - CASE WHEN :code = 'gateway_unavailable' THEN 1 ELSE 0 END,
              journey = journey || ${step('payment_failed', `${OF_CHARGE}, 'code', :code::text`)}`,
    also: 'AND charge_id = :charge_id',
  },
)

/** Nothing has changed for 2 s. A change in the future was made before the clock was set back. */
const LEFT_ALONE = "(updated_at <= now() - interval '2 seconds' OR updated_at > now() + interval '2 seconds')"

/** Intents, from one id on, whose payment was under way a while ago. */
export const findUnsettled = statement({
  name: 'find_unsettled_checkout_intents',
  values: { after_id: text },
  columns: intentColumns,
  sql: `
    SELECT ${columns} FROM checkout_intents
    WHERE status = 'active' AND charge_id IS NOT NULL AND ${LEFT_ALONE} AND id > :after_id
    ORDER BY id LIMIT 100`,
})

/** Forgets some keys of requests that are 30 days old (contract §2). */
export const forgetRequests = statement({
  name: 'forget_checkout_requests',
  values: {},
  columns: batchColumns,
  sql: batchOf({
    change: 'UPDATE checkout_intents SET request_key = NULL',
    key: 'id',
    order: 'created_at',
    found: `checkout_intents WHERE request_key IS NOT NULL AND created_at <= now() - interval '30 days'`,
  }),
})
