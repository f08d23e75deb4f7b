import type { CheckoutCustomer } from '../../../contract/api/checkouts/checkout-request.ts'
import type { CHECKOUT_ENDS } from '../../../contract/api/checkouts/checkout-resource.ts'
import type { Configuration, Customisation } from '../../../contract/api/checkouts/checkout-template.ts'
import type { ErrorCode } from '../../../contract/api/envelope.ts'
import type { Metadata } from '../../../contract/api/fields/metadata.ts'
import type { Database, Queries } from '../../platform/database/database.ts'
import {
  arrayOf,
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
import type { SqlTypes, ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import type { Statement } from '../../platform/database/statement.ts'
import { eventSql } from '../../platform/events.ts'
import type { IdempotentRequest } from '../../platform/idempotency.ts'
import type { CreateId } from '../../platform/identifiers.ts'
import { batchColumns, batchOf, countIn } from '../../platform/jobs/batches.ts'
import type { IsClockSteady } from '../../platform/jobs/when-steady.ts'
import { sqlConditionFor } from '../../platform/state-machine.ts'
import { intentMoves, LIFETIME_SECONDS } from './intent.ts'
import type { Intent, IntentAction, IntentState, IntentWords, JourneyStep, Snapshot } from './intent.ts'

export type NewIntent = Pick<
  Intent,
  | 'id'
  | 'merchantId'
  | 'workflowVersion'
  | 'amount'
  | 'currency'
  | 'reference'
  | 'description'
  | 'statementDescriptor'
  | 'metadata'
  | 'returnUrl'
  | 'customer'
  | 'configuration'
  | 'customisation'
>

/** Null if the same request came before. */
export async function addIntent(
  database: Database,
  { merchantId, workflowVersion, returnUrl, statementDescriptor, ...same }: NewIntent,
  request: IdempotentRequest | null,
): Promise<Intent | null> {
  return oneIntent(database, insertIntent, {
    ...same,
    merchant_id: merchantId,
    workflow_version: workflowVersion,
    return_url: returnUrl,
    statement_descriptor: statementDescriptor,
    idempotency_key_hash: request?.key ?? null,
    request_hash: request?.hash ?? null,
  })
}

/** Finds any merchant's intent. */
export async function findIntent(database: Database, id: string): Promise<Intent | null> {
  return oneIntent(database, selectIntent, { id })
}

/** Finds the intent that a request made before, and the hash of that request. */
export async function findIntentByRequest(
  database: Database,
  key: string,
): Promise<{ intent: Intent; hash: string | null } | null> {
  const [row] = await database.run(selectByRequest, { idempotency_key_hash: key })
  return row === undefined ? null : { intent: toIntent(row), hash: row.request_hash }
}

/** Intents after this id, in the order of their ids, whose payment has been under way for a while. An empty list is the end. */
export async function findUnsettled(database: Database, afterId: string): Promise<Intent[]> {
  return (await database.run(selectUnsettled, { after_id: afterId })).map(toIntent)
}

// Each move returns the intent after it, or null if the intent could not be moved.

/** Notes the first time that a page shows the intent. */
export async function noteViewed(database: Database, id: string): Promise<Intent | null> {
  return oneIntent(database, markViewed, { id })
}

/** Changes a merchant's own words, if the intent is unchanged since it was read. */
export async function editIntent(
  database: Database,
  { id, revision }: Pick<Intent, 'id' | 'revision'>,
  words: IntentWords,
): Promise<Intent | null> {
  return oneIntent(database, changeWords, { id, revision, ...words })
}

/** Takes the intent for a charge, within the transaction that begins the charge. */
export async function beginPayment(
  queries: Queries,
  { id, revision }: Pick<Intent, 'id' | 'revision'>,
  { chargeId, paymentSourceHash }: { chargeId: string; paymentSourceHash: Buffer },
): Promise<Intent | null> {
  const values = { id, revision, charge_id: chargeId, payment_source_hash: paymentSourceHash }
  return oneIntent(queries, takeForPayment, values)
}

/** What writes the end of an intent, with its event. */
interface EndDeps {
  database: Database
  createId: CreateId
}

export async function completeIntent(
  { database, createId }: EndDeps,
  id: string,
  chargeId: string,
): Promise<Intent | null> {
  return oneIntent(database, markCompleted, { id, charge_id: chargeId, event_id: createId() })
}

/** `code`: why the payment failed. */
export async function failPayment(
  database: Database,
  id: string,
  chargeId: string,
  code: ErrorCode,
): Promise<Intent | null> {
  return oneIntent(database, giveBack, { id, charge_id: chargeId, code })
}

export async function cancelIntent({ database, createId }: EndDeps, id: string): Promise<Intent | null> {
  return oneIntent(database, markCancelled, { id, event_id: createId() })
}

/** Ends intents whose time is over. The database's clock is checked after some were found. */
export async function expireIntents(
  { database, createId }: EndDeps,
  isClockSteady: IsClockSteady,
): Promise<void> {
  const ids = (await database.run(selectOver, {})).map(({ id }) => id)
  if (ids.length > 0 && (await isClockSteady()))
    await database.run(markExpired, { ids, event_ids: ids.map(createId) })
}

/** Erases the keys of a batch of requests that are 30 days old (contract §2); returns how many. */
export async function forgetRequests(database: Database): Promise<number> {
  return countIn(await database.run(eraseOldRequests, {}))
}

async function oneIntent<Values>(
  queries: Queries,
  statement: Statement<Values, ValuesOf<typeof intentColumns>>,
  values: NoInfer<Values>,
): Promise<Intent | null> {
  const [row] = await queries.run(statement, values)
  return row === undefined ? null : toIntent(row)
}

/** The columns of an intent as a statement returns it. */
export const intentColumns = {
  id: text,
  merchant_id: text,
  workflow_version: integer,
  status: textOf<Intent['status']>(),
  amount: cents,
  currency: textOf<'AUD'>(),
  reference: nullable(text),
  description: nullable(text),
  statement_descriptor: nullable(text),
  metadata: jsonb<Metadata>(),
  return_url: nullable(text),
  customer: json<CheckoutCustomer>(),
  configuration: json<Snapshot<Configuration>>(),
  customisation: json<Snapshot<Customisation>>(),
  journey: jsonb<StoredStep[]>(),
  charge_id: nullable(text),
  payment_source_hash: nullable(bytea),
  tries: integer,
  request_hash: nullable(text),
  revision: integer,
  created_at: timestamptz,
  updated_at: timestamptz,
  expires_at: timestamptz,
  age_ms: float8,
}

interface StoredStep {
  step: JourneyStep['step']
  at: string
  charge_id?: string
  code?: ErrorCode
}

/** It can't be paid any more, whether or not the job has marked it. */
export const IS_OVER = "status = 'active' AND charge_id IS NULL AND expires_at <= now()"
/** The status as readers see it. */
export const STATUS = `CASE WHEN ${IS_OVER} THEN 'expired' ELSE status END`

/**
 * The status of an intent that is found by its id. With the bare column the planner would choose the index of active intents, however
 * many are active.
 */
const STATUS_WITHOUT_INDEX = "(status || '')"
/** `IS_OVER` for an intent that is found by its id. */
const IS_OVER_WITHOUT_INDEX = `${STATUS_WITHOUT_INDEX} = 'active' AND charge_id IS NULL AND expires_at <= now()`

/** The SQL condition of each state, for an intent that is found by its id. */
const IN_STATE: Readonly<Record<IntentState, string>> = {
  payable: `(${STATUS_WITHOUT_INDEX} = 'active' AND charge_id IS NULL AND expires_at > now())`,
  paying: `(${STATUS_WITHOUT_INDEX} = 'active' AND charge_id IS NOT NULL)`,
  completed: `(${STATUS_WITHOUT_INDEX} = 'completed')`,
  expired: `(${STATUS_WITHOUT_INDEX} = 'expired' OR ${IS_OVER_WITHOUT_INDEX})`,
  cancelled: `(${STATUS_WITHOUT_INDEX} = 'cancelled')`,
}
/** The SQL condition that a row is in a state that takes this action. */
const allows = (action: IntentAction): string =>
  sqlConditionFor(intentMoves, action, (state) => IN_STATE[state])

export const columns = `
  id, merchant_id, workflow_version, ${STATUS} AS status, amount, currency, reference, description, statement_descriptor, metadata, return_url, customer,
  configuration, customisation, journey, charge_id, payment_source_hash, tries, request_hash, revision, created_at, updated_at,
  expires_at, (extract(epoch FROM now() - created_at) * 1000)::float8 AS age_ms`

/** A step of the journey that happens now. */
const step = (name: string, facts = '') =>
  `jsonb_build_array(jsonb_build_object('step', '${name}', 'at', now()::timestamptz(3)${facts}))`

/**
 * A move is one statement that changes status, journey and revision together. It returns no row if the intent is in a state that does
 * not take this action, or has changed since it was read.
 */
const moveStatement = <Values extends SqlTypes>(
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
      WHERE id = :id AND ${allows(action)} ${also} RETURNING ${columns}`,
  })

/** No row if the same request came before. */
const insertIntent = statement({
  name: 'add_checkout_intent',
  values: {
    id: text,
    merchant_id: text,
    workflow_version: integer,
    amount: cents,
    currency: textOf<'AUD'>(),
    reference: nullable(text),
    description: nullable(text),
    statement_descriptor: nullable(text),
    metadata: jsonb<Metadata>(),
    return_url: nullable(text),
    customer: json<CheckoutCustomer>(),
    configuration: json<Snapshot<Configuration>>(),
    customisation: json<Snapshot<Customisation>>(),
    idempotency_key_hash: nullable(text),
    request_hash: nullable(text),
  },
  columns: intentColumns,
  sql: `
    INSERT INTO checkout_intents
      (id, merchant_id, workflow_version, amount, currency, reference, description, statement_descriptor, metadata, return_url, customer, configuration,
       customisation, idempotency_key_hash, request_hash, status, journey, expires_at)
    VALUES (:id, :merchant_id, :workflow_version, :amount, :currency, :reference, :description, :statement_descriptor, :metadata, :return_url, :customer, :configuration,
            :customisation, :idempotency_key_hash, :request_hash, 'active', ${step('created')},
            now() + ${String(LIFETIME_SECONDS)} * interval '1 second')
    ON CONFLICT DO NOTHING RETURNING ${columns}`,
})

const selectIntent = statement({
  name: 'find_checkout_intent',
  values: { id: text },
  columns: intentColumns,
  sql: `SELECT ${columns} FROM checkout_intents WHERE id = :id`,
})

const selectByRequest = statement({
  name: 'find_checkout_intent_by_request',
  values: { idempotency_key_hash: text },
  columns: intentColumns,
  sql: `SELECT ${columns} FROM checkout_intents WHERE idempotency_key_hash = :idempotency_key_hash`,
})

const markViewed = moveStatement(
  'view',
  {},
  { changes: `viewed_at = now(), journey = journey || ${step('viewed')}`, also: 'AND viewed_at IS NULL' },
)

const changeWords = moveStatement(
  'edit',
  { revision: integer, reference: nullable(text), description: nullable(text), metadata: jsonb<Metadata>() },
  {
    changes: 'reference = :reference, description = :description, metadata = :metadata',
    also: 'AND revision = :revision',
  },
)

const OF_CHARGE = ", 'charge_id', :charge_id::text"

/** Takes the intent for one charge, if it is unchanged since it was read. */
const takeForPayment = moveStatement(
  'begin_payment',
  { charge_id: text, payment_source_hash: bytea, revision: integer },
  {
    changes: `charge_id = :charge_id, payment_source_hash = :payment_source_hash, tries = tries + 1,
              journey = journey || ${step('payment_tried', OF_CHARGE)}`,
    also: 'AND revision = :revision',
  },
)

/** Gives the intent back for another try. */
const giveBack = moveStatement(
  'fail_payment',
  { charge_id: text, code: textOf<ErrorCode>() },
  {
    changes: `charge_id = NULL, tries = tries - CASE WHEN :code = 'gateway_unavailable' THEN 1 ELSE 0 END,
              journey = journey || ${step('payment_failed', `${OF_CHARGE}, 'code', :code::text`)}`,
    also: 'AND charge_id = :charge_id',
  },
)

/** Unchanged for 2 s. A change in the future was made before the clock was set back. */
const LEFT_ALONE = "(updated_at <= now() - interval '2 seconds' OR updated_at > now() + interval '2 seconds')"

const selectUnsettled = statement({
  name: 'find_unsettled_checkout_intents',
  values: { after_id: text },
  columns: intentColumns,
  sql: `
    SELECT ${columns} FROM checkout_intents
    WHERE status = 'active' AND charge_id IS NOT NULL AND ${LEFT_ALONE} AND id > :after_id
    ORDER BY id LIMIT 100`,
})

const eraseOldRequests = statement({
  name: 'forget_checkout_requests',
  values: {},
  columns: batchColumns,
  sql: batchOf({
    change: 'UPDATE checkout_intents SET idempotency_key_hash = NULL',
    key: 'id',
    order: 'created_at',
    found: `checkout_intents WHERE idempotency_key_hash IS NOT NULL AND created_at <= now() - interval '30 days'`,
  }),
})

/** The names of what `columns` selects. */
const names = Object.keys(intentColumns).join(', ')

/** The event of each end: `checkout.…`. */
const eventOf = (end: (typeof CHECKOUT_ENDS)[number], { id, from }: { id: string; from: string }) => ({
  id,
  merchant: 'merchant_id',
  type: `'checkout.${end}'` as const,
  subject: 'id',
  actor: end === 'cancelled' ? "'merchant'" : "'service'",
  facts: "jsonb_build_object('amount', amount, 'currency', currency, 'charge_id', charge_id)",
  from,
})

/** No row if it is not being paid by this charge. */
const markCompleted = statement({
  name: 'checkout_intent_complete',
  values: { id: text, charge_id: text, event_id: text },
  columns: intentColumns,
  sql: `
    WITH ended AS (
      UPDATE checkout_intents
      SET status = 'completed', journey = journey || ${step('paid', OF_CHARGE)}, revision = revision + 1, updated_at = now()
      WHERE id = :id AND ${allows('complete')} AND charge_id = :charge_id RETURNING ${columns}
    ), event AS (${eventSql(eventOf('completed', { id: ':event_id', from: 'ended' }))})
    SELECT ${names} FROM ended`,
})

const markCancelled = statement({
  name: 'checkout_intent_cancel',
  values: { id: text, event_id: text },
  columns: intentColumns,
  sql: `
    WITH ended AS (
      UPDATE checkout_intents
      SET status = 'cancelled', journey = journey || ${step('cancelled')}, revision = revision + 1, updated_at = now()
      WHERE id = :id AND ${allows('cancel')} RETURNING ${columns}
    ), event AS (${eventSql(eventOf('cancelled', { id: ':event_id', from: 'ended' }))})
    SELECT ${names} FROM ended`,
})

/** An intent with a payment under way is skipped: the payment's outcome comes first. */
const selectOver = statement({
  name: 'find_over_checkout_intents',
  values: {},
  columns: { id: text },
  sql: `SELECT id FROM checkout_intents WHERE ${IS_OVER} ORDER BY expires_at LIMIT 500`,
})

/** Ends those of these intents that are still over, each by one process. */
const markExpired = statement({
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
    ${eventSql(eventOf('expired', { id: 'event_id', from: 'ended' }))}`,
})

export function toIntent(row: ValuesOf<typeof intentColumns>): Intent {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    workflowVersion: row.workflow_version,
    status: row.status,
    amount: row.amount,
    currency: row.currency,
    reference: row.reference,
    description: row.description,
    statementDescriptor: row.statement_descriptor,
    metadata: row.metadata,
    returnUrl: row.return_url,
    customer: row.customer,
    configuration: row.configuration,
    customisation: row.customisation,
    chargeId: row.charge_id,
    paymentSourceHash: row.payment_source_hash,
    tries: row.tries,
    journey: row.journey.map(toStep),
    revision: row.revision,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
    ageMs: row.age_ms,
  }
}

function toStep({ step, at, charge_id: chargeId, code }: StoredStep): JourneyStep {
  return {
    step,
    at: new Date(at),
    ...(chargeId !== undefined && { chargeId }),
    ...(code !== undefined && { code }),
  }
}
