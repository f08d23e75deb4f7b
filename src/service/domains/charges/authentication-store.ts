import type { Database, Queries } from '../../platform/database/database.ts'
import {
  bigint,
  bool,
  bytea,
  float8,
  integer,
  jsonb,
  notNull,
  nullable,
  text,
  timestamptz,
} from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import { batchColumns, batchOf, countIn } from '../../platform/jobs/batches.ts'
import { MAX_COUNTED } from '../../platform/metrics.ts'
import type { SealedText } from '../../platform/vault/vault.ts'
import { eventSql } from '../../platform/events.ts'
import type { KeyTable } from '../../platform/vault/wrapped-keys.ts'
import type { ChargeEvent } from './attempt-outcome.ts'
import { attemptTakes, ofToken } from './attempt-store.ts'
import type { TokenClaim } from './attempt-store.ts'
import type { AttemptAuthentication } from './authentication.ts'
import type { Attempt, Charge } from './charge.ts'

/** The data keys of steps. If a master key is lost, card holders who are being asked pay again. */
export const stepKeys: KeyTable = {
  of: 'authentications of card holders',
  table: 'charge_authentications',
  id: 'id',
  idType: 'text',
  merchantId: 'merchant_id',
  name: 'id',
  placeOf: ({ name }) => placeOfStep(name),
  isNeeded: 'step IS NOT NULL',
  erase: 'step = NULL, wrapped_data_key = NULL, master_key_id = NULL',
}

export const placeOfStep = (id: string): string => `charge-authentications/${id}`

/** A step with the gateway's state, sealed. */
export type SealedStep = SealedText

const sealedStepTypes = { master_key_id: text, wrapped_data_key: bytea, step: bytea }
function sealedStepValues({ masterKeyId, wrappedDataKey, text: step }: SealedStep) {
  return { master_key_id: masterKeyId, wrapped_data_key: wrappedDataKey, step }
}

/**
 * Notes that the card holder is asked by their bank: the card is erased, and a job ends the attempt when their time is over. Null if the attempt
 * has an outcome already, or was asked about before.
 */
export async function askHolder(
  { database, authentications }: { database: Database; authentications: { ask: AskStatement } },
  charge: Charge,
  attempt: Attempt,
  asked: {
    authentication: AttemptAuthentication
    accessHash: Buffer
    step: SealedStep
    facts: ChargeEvent['facts']
  },
): Promise<{ authentication: AttemptAuthentication; updatedAt: Date; version: number } | null> {
  const [row] = await database.grouped.run(authentications.ask, {
    attempt_id: attempt.id,
    token_hash: charge.tokenHash,
    authentication_id: asked.authentication.id,
    authentication: asked.authentication,
    access_hash: asked.accessHash,
    ...sealedStepValues(asked.step),
    event_facts: asked.facts,
  })
  return row === undefined
    ? null
    : { authentication: row.authentication, updatedAt: row.updated_at, version: row.version }
}

/** What is kept of an authentication until its end. */
export interface KeptAuthentication {
  id: string
  merchantId: string
  chargeId: string
  attemptId: string
  /** Of the page's token. */
  accessHash: Buffer
  stepNumber: number
  /** How often somebody has taken it to ask the gateway: who has, takes by this number, keeps and frees nothing that another has taken since. */
  timesAsked: number
  /** Null once it has ended. */
  step: SealedStep | null
  isTimeOver: boolean
  expiresAt: Date
}

const keptColumns = {
  id: text,
  merchant_id: text,
  charge_id: text,
  attempt_id: text,
  token_hash: bytea,
  step_number: integer,
  times_asked: integer,
  master_key_id: nullable(text),
  wrapped_data_key: nullable(bytea),
  step: nullable(bytea),
  is_over: bool,
  expires_at: timestamptz,
}
const COLUMNS = `id, merchant_id, charge_id, attempt_id, token_hash, step_number, times_asked, master_key_id, wrapped_data_key, step,
  expires_at <= now() AS is_over, expires_at`

export async function findAuthentication(database: Database, id: string): Promise<KeptAuthentication | null> {
  const [row] = await database.grouped.run(selectById, { id })
  return row === undefined ? null : toKept(row)
}

export async function findByAttempt(
  database: Database,
  attemptId: string,
): Promise<KeptAuthentication | null> {
  const [row] = await database.run(selectByAttempt, { attempt_id: attemptId })
  return row === undefined ? null : toKept(row)
}

/**
 * Takes an authentication for 8 s, longer than a gateway is waited for: of many that want to ask about a step, one may. Null if another is at it,
 * the step is past, it has ended, or the gateway was asked `mostAsked` times already (null: no limit).
 */
export async function takeStep(
  database: Queries,
  { id, stepNumber }: Pick<KeptAuthentication, 'id' | 'stepNumber'>,
  mostAsked: number | null,
): Promise<KeptAuthentication | null> {
  const [row] = await database.run(takeOne, { id, step_number: stepNumber, most_asked: mostAsked })
  return row === undefined ? null : toKept(row)
}

/** An authentication as it was taken. */
type TakenStep = Pick<KeptAuthentication, 'id' | 'timesAsked'>

/** Lets the next one ask. */
export async function freeStep(database: Queries, { id, timesAsked }: TakenStep): Promise<void> {
  await database.run(freeOne, { id, times_asked: timesAsked })
}

/** Replaces the step by the next one, which anyone may ask about. */
export async function keepNextStep(
  database: Queries,
  { id, timesAsked }: TakenStep,
  step: SealedStep,
): Promise<void> {
  await database.run(keepNext, { id, times_asked: timesAsked, ...sealedStepValues(step) })
}

/** Keeps a step with what was told of it, before the gateway is asked: who takes it later asks the same. */
export async function keepTold(
  database: Queries,
  { id, timesAsked }: TakenStep,
  step: SealedStep,
): Promise<void> {
  await database.run(keepToldOfStep, { id, times_asked: timesAsked, ...sealedStepValues(step) })
}

/** How many card holders are asked by their bank now, up to `MAX_COUNTED`. */
export async function countWaiting(database: Queries): Promise<number> {
  return (await database.run(selectWaiting, {}))[0]?.count ?? 0
}

/** Forgets some authentications a day after their time was over; returns how many. */
export async function forgetAuthentications(database: Queries): Promise<number> {
  return countIn(await database.run(forgetOld, {}))
}

function toKept(row: ValuesOf<typeof keptColumns>): KeptAuthentication {
  const { master_key_id: masterKeyId, wrapped_data_key: wrappedDataKey, step } = row
  return {
    id: row.id,
    merchantId: row.merchant_id,
    chargeId: row.charge_id,
    attemptId: row.attempt_id,
    accessHash: row.token_hash,
    stepNumber: row.step_number,
    timesAsked: row.times_asked,
    step:
      masterKeyId === null || wrappedDataKey === null || step === null
        ? null
        : { masterKeyId, wrappedDataKey, text: step },
    isTimeOver: row.is_over,
    expiresAt: row.expires_at,
  }
}

const selectById = statement({
  name: 'find_authentication',
  values: { id: text },
  columns: keptColumns,
  sql: `SELECT ${COLUMNS} FROM charge_authentications WHERE id = :id`,
})

const selectByAttempt = statement({
  name: 'find_authentication_of_attempt',
  values: { attempt_id: text },
  columns: keptColumns,
  sql: `SELECT ${COLUMNS} FROM charge_authentications WHERE attempt_id = :attempt_id`,
})

/** A page may give a number that is larger than any integer of the database: then it is that of no step. */
const takeOne = statement({
  name: 'take_authentication',
  values: { id: text, step_number: float8, most_asked: nullable(integer) },
  columns: keptColumns,
  sql: `
    UPDATE charge_authentications SET busy_until = now() + interval '8 seconds', times_asked = times_asked + 1
    WHERE id = :id AND step_number = :step_number::float8 AND step IS NOT NULL AND (busy_until IS NULL OR busy_until <= now())
      AND times_asked < coalesce(:most_asked, times_asked + 1)
    RETURNING ${COLUMNS}`,
})

/** SQL: nobody has taken it since. */
const IS_STILL_TAKEN = 'id = :id AND times_asked = :times_asked'

const freeOne = statement({
  name: 'free_authentication',
  values: { id: text, times_asked: integer },
  columns: {},
  sql: `UPDATE charge_authentications SET busy_until = NULL WHERE ${IS_STILL_TAKEN}`,
})

const keepNext = statement({
  name: 'keep_next_step',
  values: { id: text, times_asked: integer, ...sealedStepTypes },
  columns: {},
  sql: `
    UPDATE charge_authentications SET step_number = step_number + 1, busy_until = NULL,
           step = :step, master_key_id = :master_key_id, wrapped_data_key = :wrapped_data_key
    WHERE ${IS_STILL_TAKEN} AND step IS NOT NULL`,
})

const keepToldOfStep = statement({
  name: 'keep_told_of_authentication',
  values: { id: text, times_asked: integer, ...sealedStepTypes },
  columns: {},
  sql: `
    UPDATE charge_authentications SET step = :step, master_key_id = :master_key_id, wrapped_data_key = :wrapped_data_key
    WHERE ${IS_STILL_TAKEN} AND step IS NOT NULL`,
})

const selectWaiting = statement({
  name: 'count_waiting_authentications',
  values: {},
  columns: { count: bigint },
  sql: `
    SELECT count(*) AS count FROM (
      SELECT FROM charge_authentications WHERE expires_at > now() AND step IS NOT NULL LIMIT ${String(MAX_COUNTED)}
    ) waiting`,
})

const forgetOld = statement({
  name: 'forget_authentications',
  values: {},
  columns: batchColumns,
  sql: batchOf({
    change: 'DELETE FROM charge_authentications',
    key: 'id',
    order: 'expires_at',
    found: `charge_authentications WHERE expires_at <= now() - interval '1 day' AND step IS NULL`,
  }),
})

/** How long a card holder has to authenticate (contract §4.3). */
const TIME_TO_AUTHENTICATE = "interval '15 minutes'"
const authenticationRequired = eventSql({
  id: ':authentication_id',
  merchant: 'merchant_id',
  type: "'charge.authentication_required'",
  subject: 'id',
  actor: "'gateway'",
  facts: ':event_facts',
  from: 'moved',
})
/** The statement that also spends the token, whose SQL another domain gives. */
export function createAskStatement(tokenClaim: TokenClaim) {
  return statement({
    name: 'ask_card_holder',
    values: {
      attempt_id: text,
      token_hash: bytea,
      authentication_id: text,
      authentication: jsonb<AttemptAuthentication>(),
      access_hash: bytea,
      ...sealedStepTypes,
      event_facts: jsonb<ChargeEvent['facts']>(),
    },
    columns: {
      authentication: notNull(jsonb<AttemptAuthentication>()),
      updated_at: timestamptz,
      version: integer,
    },
    sql: `
        WITH asked AS (
          UPDATE attempts SET ask_after = now() + ${TIME_TO_AUTHENTICATE},
                 authentication = :authentication || jsonb_build_object('askedAt', now()::timestamptz(3),
                                                                        'expiresAt', (now() + ${TIME_TO_AUTHENTICATE})::timestamptz(3))
          WHERE id = :attempt_id AND ${attemptTakes('left_open')} AND authentication IS NULL RETURNING charge_id, ask_after, authentication
        ), moved AS (
          UPDATE charges SET status = 'pre_authentication_pending', version = version + 1, updated_at = now()
          FROM asked WHERE id = asked.charge_id AND status = 'processing'
          RETURNING id, merchant_id, updated_at, version, ask_after, authentication
        ), token AS (${tokenClaim.spend(ofToken)} AND EXISTS (SELECT 1 FROM asked)),
        kept AS (
          INSERT INTO charge_authentications (id, merchant_id, charge_id, attempt_id, token_hash, master_key_id, wrapped_data_key, step, expires_at)
          SELECT :authentication_id, merchant_id, id, :attempt_id, :access_hash, :master_key_id, :wrapped_data_key, :step, ask_after FROM moved
        ), event AS (${authenticationRequired})
        SELECT authentication, updated_at, version FROM moved WHERE authentication IS NOT NULL`,
  })
}
type AskStatement = ReturnType<typeof createAskStatement>
