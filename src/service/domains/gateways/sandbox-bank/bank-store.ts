import { randomUUID } from 'node:crypto'
import type { Queries } from '../../../platform/database/database.ts'
import {
  bigint,
  bool,
  float8,
  integer,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import type { Authenticates, Page, TransStatus, Verdict } from './bank-cards.ts'

/** Who ended a challenge without an answer: the card holder, or the time for it. */
export type CancelledBy = 'holder' | 'time'

const newColumns = {
  attempt_id: text,
  server_trans_id: text,
  acs_trans_id: text,
  ds_trans_id: text,
  asked_by: textOf<Authenticates['askedBy']>(),
  method: textOf<Authenticates['method']>(),
  verdict: nullable(textOf<TransStatus>()),
  verdict_reason: nullable(text),
  page: textOf<Page>(),
  return_url: text,
  amount: bigint,
  currency: text,
  capture: bool,
  payee: text,
  last4: text,
  code: text,
  reference: text,
  version: text,
  flow: nullable(textOf<'frictionless' | 'challenge'>()),
  eci: nullable(text),
}
const rowColumns = {
  ...newColumns,
  trans_status: nullable(textOf<TransStatus>()),
  trans_status_reason: nullable(text),
  cancelled_by: nullable(textOf<CancelledBy>()),
  tries: integer,
  finishes: integer,
  method_at: nullable(timestamptz),
  opened_at: nullable(timestamptz),
  ended_at: nullable(timestamptz),
  seconds_left: float8,
}
/** An authentication as the bank keeps it. */
export type BankRow = ValuesOf<typeof rowColumns>
/** One that begins; its ids are made here. */
export type NewBankRow = Omit<ValuesOf<typeof newColumns>, 'server_trans_id' | 'acs_trans_id' | 'ds_trans_id'>

/** Begins an authentication, or finds the one that its attempt already has: that one counts. */
export async function begin(
  queries: Queries,
  row: NewBankRow & { ds_trans_id?: string | undefined },
): Promise<BankRow> {
  const ids = { server_trans_id: randomUUID(), acs_trans_id: randomUUID(), ds_trans_id: randomUUID() }
  const [written] = await queries.run(insertOne, {
    ...ids,
    ...row,
    ds_trans_id: row.ds_trans_id ?? ids.ds_trans_id,
  })
  const found = written ?? (await findByAttempt(queries, row.attempt_id))
  if (found === null) throw new Error('an authentication that was written is not there')
  return found
}

export async function findByAttempt(queries: Queries, attemptId: string): Promise<BankRow | null> {
  const [row] = await queries.run(selectByAttempt, { attempt_id: attemptId })
  return row ?? null
}

/** The authentication that a message to the bank's page names. */
export async function findByAcs(queries: Queries, acsTransId: string): Promise<BankRow | null> {
  const [row] = await queries.run(selectByAcs, { acs_trans_id: acsTransId })
  return row ?? null
}

/** Of other payments than this: the newest authentication that the bank has passed, and the newest that waits. */
export async function findStrangers(queries: Queries, attemptId: string) {
  const rows = await queries.run(selectStrangers, { attempt_id: attemptId })
  const passed = rows.find(({ trans_status: transStatus }) => transStatus === 'Y') ?? null
  const waiting = rows.find(({ trans_status: transStatus }) => transStatus === null) ?? null
  return { passed, waiting }
}

/** Notes that somebody asks how an authentication has ended, and counts how often. */
export async function countFinish(queries: Queries, attemptId: string): Promise<BankRow | null> {
  const [row] = await queries.run(countOne, { attempt_id: attemptId })
  return row ?? null
}

/** Notes that the bank has looked at the browser; null if there is no such authentication. */
export async function noteMethod(queries: Queries, serverTransId: string): Promise<BankRow | null> {
  const [row] = await queries.run(methodDone, { server_trans_id: serverTransId })
  return row ?? null
}

/** Notes that the bank's page was opened; the first time counts. */
export async function noteOpened(queries: Queries, acsTransId: string): Promise<BankRow | null> {
  const [row] = await queries.run(opened, { acs_trans_id: acsTransId })
  return row ?? null
}

/** Counts a wrong code; null once the bank has decided, or the sale has ended. */
export async function countTry(queries: Queries, attemptId: string): Promise<BankRow | null> {
  const [row] = await queries.run(tried, { attempt_id: attemptId })
  return row ?? null
}

/** The bank's decision; the first one counts, and none after the sale has ended. Returns the authentication as it is then. */
export async function decide(
  queries: Queries,
  attemptId: string,
  { transStatus, reason }: Verdict,
  cancelledBy: CancelledBy | null = null,
): Promise<BankRow | null> {
  const [row] = await queries.run(decideOne, {
    attempt_id: attemptId,
    trans_status: transStatus,
    trans_status_reason: reason,
    cancelled_by: cancelledBy,
  })
  return row ?? findByAttempt(queries, attemptId)
}

/** Ends an authentication, after which the bank decides nothing any more; other transactions wait. */
export async function end(queries: Queries, attemptId: string): Promise<BankRow | null> {
  const [row] = await queries.run(endOne, { attempt_id: attemptId })
  return row ?? null
}

const NEW = Object.keys(newColumns)
/** How long the bank waits for the card holder, from when its page was opened: in seconds. */
const SECONDS_LEFT = `extract(epoch FROM coalesce(opened_at, now()) - now())::double precision
  + CASE page WHEN 'hurried' THEN 5 ELSE 600 END AS seconds_left`
const COLUMNS = Object.keys(rowColumns)
  .map((name) => (name === 'seconds_left' ? SECONDS_LEFT : name))
  .join(', ')

const insertOne = statement({
  name: 'sandbox_bank_begin',
  values: newColumns,
  columns: rowColumns,
  sql: `
    INSERT INTO sandbox_gateway.authentications (${NEW.join(', ')}) VALUES (${NEW.map((name) => `:${name}`).join(', ')})
    ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
})
const selectByAttempt = statement({
  name: 'sandbox_bank_find',
  values: { attempt_id: text },
  columns: rowColumns,
  sql: `SELECT ${COLUMNS} FROM sandbox_gateway.authentications WHERE attempt_id = :attempt_id`,
})
const selectByAcs = statement({
  name: 'sandbox_bank_find_by_acs',
  values: { acs_trans_id: text },
  columns: rowColumns,
  sql: `SELECT ${COLUMNS} FROM sandbox_gateway.authentications WHERE acs_trans_id = :acs_trans_id`,
})
const selectStrangers = statement({
  name: 'sandbox_bank_strangers',
  values: { attempt_id: text },
  columns: rowColumns,
  sql: `
    SELECT ${COLUMNS} FROM sandbox_gateway.authentications
    WHERE attempt_id <> :attempt_id AND flow = 'challenge' ORDER BY created_at DESC LIMIT 50`,
})
const countOne = statement({
  name: 'sandbox_bank_count_finish',
  values: { attempt_id: text },
  columns: rowColumns,
  sql: `
    UPDATE sandbox_gateway.authentications SET finishes = finishes + 1 WHERE attempt_id = :attempt_id
    RETURNING ${COLUMNS}`,
})
const methodDone = statement({
  name: 'sandbox_bank_method',
  values: { server_trans_id: text },
  columns: rowColumns,
  sql: `
    UPDATE sandbox_gateway.authentications SET method_at = coalesce(method_at, now())
    WHERE server_trans_id = :server_trans_id RETURNING ${COLUMNS}`,
})
const opened = statement({
  name: 'sandbox_bank_opened',
  values: { acs_trans_id: text },
  columns: rowColumns,
  sql: `
    UPDATE sandbox_gateway.authentications SET opened_at = coalesce(opened_at, now())
    WHERE acs_trans_id = :acs_trans_id RETURNING ${COLUMNS}`,
})
const tried = statement({
  name: 'sandbox_bank_tried',
  values: { attempt_id: text },
  columns: rowColumns,
  sql: `
    UPDATE sandbox_gateway.authentications SET tries = tries + 1
    WHERE attempt_id = :attempt_id AND trans_status IS NULL AND ended_at IS NULL RETURNING ${COLUMNS}`,
})
const decideOne = statement({
  name: 'sandbox_bank_decide',
  values: {
    attempt_id: text,
    trans_status: textOf<TransStatus>(),
    trans_status_reason: nullable(text),
    cancelled_by: nullable(textOf<CancelledBy>()),
  },
  columns: rowColumns,
  sql: `
    UPDATE sandbox_gateway.authentications
    SET trans_status = :trans_status, trans_status_reason = :trans_status_reason, cancelled_by = :cancelled_by
    WHERE attempt_id = :attempt_id AND trans_status IS NULL AND ended_at IS NULL RETURNING ${COLUMNS}`,
})
const endOne = statement({
  name: 'sandbox_bank_end',
  values: { attempt_id: text },
  columns: rowColumns,
  sql: `
    UPDATE sandbox_gateway.authentications SET ended_at = coalesce(ended_at, now()) WHERE attempt_id = :attempt_id
    RETURNING ${COLUMNS}`,
})
