import type { AuthenticationStatus } from '../../../contract/api/charges/authentication.ts'
import type { Database, Queries } from '../../platform/database/database.ts'
import { isConflict } from '../../platform/database/faults.ts'
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
import type { SqlTypes, ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import type { CreateId } from '../../platform/identifiers.ts'
import { eventSql } from '../../platform/events.ts'
import { batchColumns, batchOf, countIn } from '../../platform/jobs/batches.ts'
import { sqlConditionFor } from '../../platform/state-machine.ts'
import type { DeclineReason } from '../gateways/gateway.ts'
import type { ChargeEvent, OutcomeChange } from './attempt-outcome.ts'
import type { AttemptAuthentication } from './authentication.ts'
import { findCharge, insertPairs, pairsOf } from './charge-store.ts'
import { attemptMoves, statusesFor } from './charge.ts'
import type {
  Attempt,
  AttemptAction,
  Charge,
  ChargeStatus,
  KnownOutcome,
  MovementType,
  NewAttempt,
  NewCharge,
} from './charge.ts'

/** What writing attempts needs. */
export interface AttemptStoreDeps {
  /** Hears of each authentication that has ended, by the type of its gateway. */
  onAuthenticated?: (gatewayType: string, status: AuthenticationStatus) => void
  database: Database
  createId: CreateId
  statements: AttemptStatements
}

/** When an attempt was written, and the version of its charge since. */
interface Written {
  createdAt: Date
  version: number
}

/** Writes that have to commit together with a new charge; throws to keep the charge from being written. */
export type InSameTransaction = (queries: Queries, chargeId: string) => Promise<void>

/** Takes the token and writes the charge with its first attempt; null if the token is gone or the request has come before. */
export async function beginCharge(
  { database, statements }: AttemptStoreDeps,
  charge: NewCharge,
  attempt: NewAttempt,
  inSameTransaction: InSameTransaction | null,
): Promise<Written | null> {
  const values = {
    ...attemptValues(charge.id, attempt),
    token_hash: charge.tokenHash,
    merchant_id: charge.merchantId,
    gateway_id: charge.gatewayId,
    pre_auth: charge.preAuth,
    currency: charge.currency,
    charge_reference: charge.reference,
    description: charge.description,
    statement_descriptor: charge.statementDescriptor,
    metadata: charge.metadata,
    customer: charge.customer,
    payment_source: charge.paymentSource,
  }
  // A charge without metadata has no part of the statement to plan and start that would write nothing.
  const pairs = pairsOf(charge.metadata)
  const begin = (queries: Pick<Queries, 'run'>) =>
    pairs.length === 0
      ? queries.run(statements.beginCharge, values)
      : queries.run(statements.beginChargeWithMetadata, { ...values, pairs })
  if (inSameTransaction === null) return writtenUnlessRepeated(begin(database.grouped))
  return writtenUnlessRepeated(
    database.transaction(async (queries) => {
      await inSameTransaction(queries, charge.id)
      const rows = await begin(queries)
      // Undoes what was written in the same transaction.
      if (rows.length === 0) throw new NothingBegun()
      return rows
    }),
  )
}

/** Writes a capture, cancel or refund; null if the charge has changed since it was read or the request has come before. */
export function beginFollowUp(
  database: Database,
  charge: Charge,
  attempt: NewAttempt,
): Promise<Written | null> {
  const values = {
    ...attemptValues(charge.id, attempt),
    version: charge.version,
    dispute_sums: charge.disputeSums.length,
    allowed: statusesFor(attempt.type),
    is_hold_over: attempt.reason === 'authorisation_expired',
  }
  return writtenUnlessRepeated(database.grouped.run(insertFollowUp, values))
}

/** Writes an attempt's outcome, the charge's status and the event in one statement; null if the attempt already had an outcome. */
export async function writeOutcome(
  { database, statements }: AttemptStoreDeps,
  charge: Charge,
  { attempt, status, holdSeconds, event, passed }: OutcomeChange,
): Promise<{ settledAt: Date; version: number } | null> {
  const values = {
    attempt_id: attempt.id,
    outcome: attempt.outcome,
    decline_reason: attempt.declineReason,
    gateway_code: attempt.gatewayCode,
    gateway_description: attempt.gatewayDescription,
    external_id: attempt.externalId,
    external_reference: attempt.externalReference,
    status,
    hold_seconds: holdSeconds,
    merchant_id: charge.merchantId,
    event_type: event.type,
    event_actor: event.actor,
    event_facts: event.facts,
  }
  const { releaseToken, spendToken, endAuthentication } = statements
  const { type, authentication, outcome } = attempt
  const sale = { ...values, token_hash: charge.tokenHash }
  const passing = { authentication, passed_id: passed?.id ?? null, passed_facts: passed?.facts ?? null }
  const { grouped } = database
  const [row] =
    type !== 'sale'
      ? await grouped.run(settleFollowUp, values)
      : authentication !== null
        ? await grouped.run(endAuthentication, { ...sale, ...passing })
        : await grouped.run(outcome === 'unreachable' ? releaseToken : spendToken, sale)
  return row === undefined ? null : { settledAt: row.settled_at, version: row.version }
}

/** Notes that a sent attempt got no answer: a job may ask the gateway at once, and a sale's card is erased. */
export async function leaveOpen(
  { database, statements }: AttemptStoreDeps,
  charge: Charge,
  attempt: Attempt,
): Promise<void> {
  await database.grouped.run(statements.leaveOpen, { token_hash: charge.tokenHash, attempt_id: attempt.id })
}

/** Has a job ask about an attempt soon, as it may have an answer that was lost on its way. */
export async function bringForward({ database }: AttemptStoreDeps, { id }: Attempt): Promise<void> {
  await database.run(askSoon, { attempt_id: id })
}

/** An attempt that a request with an idempotency key has made. */
export interface RequestedAttempt {
  /** Tells whether another request is the same. */
  requestHash: string | null
  /** Nobody waits for the gateway's answer any more, so it may be asked again. */
  isDue: boolean
  charge: Charge
  attempt: Attempt
}

/** The attempt that was made by a request with this key; null if the key is new. */
export async function findByRequest(
  database: Database,
  requestKey: string,
): Promise<RequestedAttempt | null> {
  const [row] = await database.run(selectByRequest, { idempotency_key_hash: requestKey })
  const charge = row === undefined ? null : await findCharge(database, row.charge_id)
  const attempt = charge?.attempts.find(({ id }) => id === row?.id)
  if (row === undefined || charge === null || attempt === undefined) return null
  return { requestHash: row.request_hash, isDue: row.is_due, charge, attempt }
}

/** Forgets some idempotency keys that are 30 days old (contract §2); returns how many. */
export async function forgetRequests(database: Queries): Promise<number> {
  return countIn(await database.run(forgetRequestKeys, {}))
}

/** The transaction is rolled back because the charge could not begin. */
class NothingBegun extends Error {}

async function writtenUnlessRepeated(
  writing: Promise<{ created_at: Date; version: number }[]>,
): Promise<Written | null> {
  try {
    const [row] = await writing
    return row === undefined ? null : { createdAt: row.created_at, version: row.version }
  } catch (error) {
    if (error instanceof NothingBegun || isConflict(error, 'attempts_by_idempotency_key')) return null
    throw error
  }
}

/** How long after it was written a job asks about an attempt: the 5 s for an answer, 2 s for the adapter to stop, and 1 s more. */
export const ASK_AFTER_SECONDS = 8
/** The same in SQL. */
export const ASK_AFTER = `interval '${String(ASK_AFTER_SECONDS)} seconds'`
/** Due at once. `now()` itself would be rounded to milliseconds, perhaps upwards, and not be due yet. */
const AT_ONCE = "date_trunc('milliseconds', now())"

/*
 * `charges.release_from` says from when a hold whose time is over may be released. It is null until a job has seen that the time is over;
 * from then on each attempt that begins or ends changes it.
 */

/** `release_from` while an attempt has no outcome: nothing else may begin then. */
export const UNDER_WAY = "'infinity'::timestamptz"

/** The pause after a release that failed: a minute, doubled each time, up to a day. */
export const RELEASE_PAUSE =
  "least(power(2, least(release_attempts, 12) - 1) * interval '1 minute', interval '1 day')"

/**
 * `release_from` after an attempt that failed at `moment`; null if no release was tried. Never before the hold is over: after the clock was
 * set back, the failed attempt may be a capture, and a release that is not allowed yet would begin again and again.
 */
export const afterFailedRelease = (moment: string): string =>
  `CASE WHEN release_attempts > 0 THEN greatest(${moment} + ${RELEASE_PAUSE}, hold_expires_at) END`

/**
 * The SQL condition that an attempt, found by its id, may take this action. Not on the bare column, or the planner would choose
 * the index of open attempts, which is full of dead entries wherever a backup or a report runs.
 */
export const attemptTakes = (action: AttemptAction): string =>
  sqlConditionFor(attemptMoves, action, (outcome) => `(outcome || '') = '${outcome}'`)

const attemptTypes = {
  attempt_id: text,
  charge_id: text,
  type: textOf<MovementType>(),
  reason: nullable(textOf<'authorisation_expired'>()),
  amount: cents,
  user_id: nullable(text),
  source_ip: nullable(text),
  attempt_reference: nullable(text),
  idempotency_key_hash: nullable(text),
  request_hash: nullable(text),
}

export function attemptValues(chargeId: string, attempt: NewAttempt): ValuesOf<typeof attemptTypes> {
  const { id, type, reason, amount, userId, sourceIp, reference, idempotentRequest } = attempt
  return {
    attempt_id: id,
    charge_id: chargeId,
    type,
    reason,
    amount,
    user_id: userId,
    source_ip: sourceIp,
    attempt_reference: reference,
    idempotency_key_hash: idempotentRequest?.key ?? null,
    request_hash: idempotentRequest?.hash ?? null,
  }
}

const writtenColumns = { created_at: timestamptz, version: integer }
/** Inserts the attempt if `from`, which has the charge's `gateway_id`, has its row. */
const insertAttempt = (from: string) => `
  INSERT INTO attempts (id, charge_id, gateway_id, type, reason, amount, user_id, source_ip, reference, idempotency_key_hash, request_hash,
                        outcome, ask_after)
  SELECT :attempt_id, :charge_id, gateway_id, :type, :reason, :amount, :user_id, :source_ip, :attempt_reference, :idempotency_key_hash, :request_hash,
         'open', now() + ${ASK_AFTER} FROM ${from}`

/**
 * Inserts the attempt if the charge is still as it was read and has no open attempt: of many racers one gets a row. `dispute_sums`: how
 * often it was noted what is disputed of it. `allowed`: the statuses in which it may begin. `is_hold_over`: whether the hold's time must
 * be over, so that this releases it.
 */
export const insertFollowUp = statement({
  name: 'begin_follow_up',
  values: {
    ...attemptTypes,
    version: integer,
    dispute_sums: integer,
    allowed: arrayOf(textOf<ChargeStatus>()),
    is_hold_over: bool,
  },
  columns: writtenColumns,
  sql: `
    WITH moved AS (
      UPDATE charges SET open_attempt_id = :attempt_id, version = version + 1, updated_at = now(),
                         release_attempts = release_attempts + :is_hold_over::integer,
                         release_from = CASE WHEN :is_hold_over OR release_from IS NOT NULL THEN ${UNDER_WAY} END
      WHERE id = :charge_id AND version = :version AND jsonb_array_length(dispute_sums) = :dispute_sums
        AND status = ANY (:allowed) AND open_attempt_id IS NULL
        AND (status <> 'pending' OR (hold_expires_at <= now()) = :is_hold_over)
      RETURNING gateway_id, updated_at, version
    ), attempt AS (${insertAttempt('moved')})
    SELECT updated_at AS created_at, version FROM moved`,
})

/** `is_due` once nobody waits for the answer any more. */
const selectByRequest = statement({
  name: 'find_by_request',
  values: { idempotency_key_hash: text },
  columns: { id: text, charge_id: text, request_hash: nullable(text), is_due: bool },
  sql: `
    SELECT id, charge_id, request_hash, ask_after <= now() AS is_due FROM attempts WHERE idempotency_key_hash = :idempotency_key_hash`,
})

const forgetRequestKeys = statement({
  name: 'forget_requests',
  values: {},
  columns: batchColumns,
  sql: batchOf({
    change: 'UPDATE attempts SET idempotency_key_hash = NULL',
    key: 'id',
    order: 'created_at',
    found: `attempts WHERE idempotency_key_hash IS NOT NULL AND created_at <= now() - interval '30 days'`,
  }),
})

const askSoon = statement({
  name: 'ask_about_attempt_soon',
  values: { attempt_id: text },
  columns: {},
  sql: `
    UPDATE attempts SET ask_after = least(ask_after, now() + interval '20 seconds')
    WHERE id = :attempt_id AND ${attemptTakes('left_open')}`,
})

const outcomeTypes = {
  attempt_id: text,
  outcome: textOf<KnownOutcome>(),
  decline_reason: nullable(textOf<DeclineReason>()),
  gateway_code: nullable(text),
  gateway_description: nullable(text),
  external_id: nullable(text),
  external_reference: nullable(text),
  status: textOf<ChargeStatus>(),
  hold_seconds: nullable(float8),
  merchant_id: text,
  event_type: textOf<ChargeEvent['type']>(),
  event_actor: textOf<ChargeEvent['actor']>(),
  event_facts: jsonb<ChargeEvent['facts']>(),
}
const settledColumns = { settled_at: timestamptz, version: integer }

/** `unreachable` is recorded only while nobody can have asked the gateway, which may carry out what it is asked about. */
const IS_CERTAIN = "(:outcome <> 'unreachable' OR (times_asked = 0 AND ask_after > now()))"
/**
 * Nothing was done, so the same request may come again and is carried out then. A sale that never arrived has used up its token: its
 * idempotency key stays, so that a repeated request gets the same answer.
 */
const NOTHING_DONE = ":outcome = 'unreachable' OR (:outcome = 'not_received' AND type <> 'sale')"
const updateAttempt = (also = '') => `
  recorded AS (
    UPDATE attempts SET outcome = :outcome, decline_reason = :decline_reason, gateway_code = :gateway_code,
                        gateway_description = :gateway_description, external_id = :external_id,
                        external_reference = :external_reference, settled_at = now(),${also}
                        idempotency_key_hash = CASE WHEN ${NOTHING_DONE} THEN NULL ELSE idempotency_key_hash END
    WHERE id = :attempt_id AND ${attemptTakes('approved')} AND ${IS_CERTAIN} RETURNING charge_id, created_at
  )`
/** `release_from` stays null until the hold is over: changing an indexed column adds an entry to every index of the table. */
const updateCharge = `
  UPDATE charges SET status = :status, open_attempt_id = NULL, version = version + 1, updated_at = now(),
                     hold_expires_at = coalesce(recorded.created_at + :hold_seconds * interval '1 second', hold_expires_at),
                     release_from = CASE WHEN :status = 'pending' THEN ${afterFailedRelease('now()')} END
  FROM recorded WHERE charges.id = recorded.charge_id
  RETURNING charges.updated_at AS settled_at, charges.version`

/** An attempt has one outcome, so its id can be its event's. */
const insertEvent = eventSql({
  id: ':attempt_id',
  merchant: ':merchant_id',
  type: ':event_type',
  subject: 'charge_id',
  actor: ':event_actor',
  facts: ':event_facts',
  from: 'recorded',
})
const passedEvent = eventSql({
  id: ':passed_id',
  merchant: ':merchant_id',
  type: "'charge.authenticated'",
  subject: 'charge_id',
  actor: "'gateway'",
  facts: ':passed_facts',
  from: 'recorded WHERE :passed_id::text IS NOT NULL',
})
/** What an authentication that has ended keeps no longer. */
const ERASED = 'step = NULL, wrapped_data_key = NULL, master_key_id = NULL, busy_until = NULL'

export const settleFollowUp = statement({
  name: 'settle_follow_up',
  values: outcomeTypes,
  columns: settledColumns,
  sql: `WITH ${updateAttempt()}, event AS (${insertEvent}) ${updateCharge}`,
})

/** SQL that takes, spends or releases the token of a sale; `token` is its hash. */
export interface TokenClaim {
  take: (names: { token: string; merchant: string; attempt: string }) => string
  spend: (names: { token: string; attempt: string }) => string
  release: (names: { token: string; attempt: string }) => string
}
/** Names of a token and its attempt in these statements. */
export const ofToken = { token: ':token_hash', attempt: ':attempt_id' }

/** Settles a sale in whose authentication a bank took part: what only that needed is erased. */
function createEndOfAuthentication(tokenClaim: TokenClaim) {
  return statement({
    name: 'settle_authenticated_sale',
    values: {
      ...outcomeTypes,
      token_hash: bytea,
      authentication: nullable(jsonb<AttemptAuthentication>()),
      passed_id: nullable(text),
      passed_facts: nullable(jsonb<ChargeEvent['facts']>()),
    },
    columns: settledColumns,
    sql: `
        WITH ${updateAttempt(' authentication = :authentication,')},
        token AS (${tokenClaim.spend(ofToken)} AND EXISTS (SELECT 1 FROM recorded)),
        asked AS (UPDATE charge_authentications SET ${ERASED} WHERE attempt_id = :attempt_id AND EXISTS (SELECT 1 FROM recorded)),
        passed AS (${passedEvent}), event AS (${insertEvent}) ${updateCharge}`,
  })
}

/** The statements that also take, spend or release the token, whose SQL another domain gives. */
export function createAttemptStatements(tokenClaim: TokenClaim) {
  const saleOutcome = (part: string, changeToken: string) =>
    statement({
      name: `settle_sale_${part}`,
      values: { ...outcomeTypes, token_hash: bytea },
      columns: settledColumns,
      sql: `
        WITH ${updateAttempt()}, token AS (${changeToken} AND EXISTS (SELECT 1 FROM recorded)),
        event AS (${insertEvent}) ${updateCharge}`,
    })
  const newCharge = <More extends SqlTypes>(name: string, more: More, also: string) =>
    statement({
      name,
      values: { ...attemptTypes, ...newChargeTypes, ...more },
      columns: writtenColumns,
      sql: `
        WITH taken AS (${tokenClaim.take({ ...ofToken, merchant: ':merchant_id' })}),
        charge AS (
          INSERT INTO charges (id, merchant_id, gateway_id, token_hash, status, pre_auth, amount, currency, reference, description,
                               statement_descriptor, metadata, customer, payment_source, source_ip, open_attempt_id)
          SELECT :charge_id, :merchant_id, :gateway_id, :token_hash, 'processing', :pre_auth, :amount, :currency, :charge_reference,
                 :description, :statement_descriptor, :metadata, :customer, :payment_source, :source_ip, :attempt_id FROM taken
          RETURNING id, merchant_id, gateway_id, created_at, version
        ), ${also} attempt AS (${insertAttempt('charge')})
        SELECT created_at, version FROM charge`,
    })
  return {
    beginCharge: newCharge('begin_sale', {}, ''),
    beginChargeWithMetadata: newCharge(
      'begin_sale_with_metadata',
      { pairs: arrayOf(bigint) },
      `pairs AS (${insertPairs(':pairs', 'charge')}),`,
    ),
    spendToken: saleOutcome('spend', tokenClaim.spend(ofToken)),
    releaseToken: saleOutcome('release', tokenClaim.release(ofToken)),
    endAuthentication: createEndOfAuthentication(tokenClaim),
    leaveOpen: statement({
      name: 'leave_open',
      values: { attempt_id: text, token_hash: bytea },
      columns: {},
      sql: `
        WITH token AS (${tokenClaim.spend(ofToken)})
        UPDATE attempts SET ask_after = ${AT_ONCE} WHERE id = :attempt_id AND ${attemptTakes('left_open')}`,
    }),
  }
}
export type AttemptStatements = ReturnType<typeof createAttemptStatements>

const newChargeTypes = {
  token_hash: bytea,
  merchant_id: text,
  gateway_id: text,
  pre_auth: bool,
  currency: text,
  charge_reference: nullable(text),
  description: nullable(text),
  statement_descriptor: nullable(text),
  metadata: jsonb<Charge['metadata']>(),
  customer: json<Charge['customer']>(),
  payment_source: json<Charge['paymentSource']>(),
}
