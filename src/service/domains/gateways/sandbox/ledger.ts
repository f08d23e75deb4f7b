import type { Database, Queries } from '../../../platform/database/database.ts'
import { bigint, bool, float8, text, textOf } from '../../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import { decide } from './hold.ts'
import type { Hold } from './hold.ts'

const APPROVED = '00'

const entryColumns = {
  attempt_id: text,
  hold_id: text,
  result: textOf<'approved' | 'declined' | 'not_received'>(),
  response_code: text,
  reference: text,
}
/** An operation as the sandbox gateway's own books hold it. */
export type Entry = ValuesOf<typeof entryColumns>

interface Order {
  attemptId: string
  holdId: string
  amount: number
  /** Response code that steering chose. */
  code: string
  reference: string
}

const columns = Object.keys(entryColumns).join(', ')
const findEntry = statement({
  name: 'sandbox_find_entry',
  values: { attempt_id: text },
  columns: entryColumns,
  sql: `SELECT ${columns} FROM sandbox_gateway.operations WHERE attempt_id = :attempt_id`,
})
const writeEntry = statement({
  name: 'sandbox_write_entry',
  values: { ...entryColumns, kind: text, amount: bigint },
  columns: entryColumns,
  sql: `
    INSERT INTO sandbox_gateway.operations (attempt_id, kind, hold_id, amount, result, response_code, reference)
    VALUES (:attempt_id, :kind, :hold_id, :amount, :result, :response_code, :reference)
    ON CONFLICT DO NOTHING RETURNING ${columns}`,
})
const openHold = statement({
  name: 'sandbox_open_hold',
  values: {
    id: text,
    amount: bigint,
    currency: text,
    captured: bigint,
    state: textOf<Hold['state']>(),
    seconds: float8,
  },
  columns: {},
  sql: `
    INSERT INTO sandbox_gateway.holds (id, amount, currency, captured, state, expires_at)
    VALUES (:id, :amount, :currency, :captured, :state, now() + :seconds * interval '1 second')`,
})
const holdTypes = { captured: bigint, refunded: bigint, state: textOf<Hold['state']>() }
const lockHold = statement({
  name: 'sandbox_lock_hold',
  values: { id: text },
  columns: { amount: bigint, ...holdTypes, expired: bool },
  sql: `
    SELECT amount, captured, refunded, state, expires_at <= now() AS expired FROM sandbox_gateway.holds
    WHERE id = :id FOR UPDATE`,
})
const settleHold = statement({
  name: 'sandbox_settle_hold',
  values: { id: text, ...holdTypes },
  columns: {},
  sql: `
    UPDATE sandbox_gateway.holds SET state = :state, captured = :captured, refunded = :refunded WHERE id = :id`,
})

/** The books of the sandbox gateway: one entry per attempt, however often it arrives. */
export interface Ledger {
  authorise: (order: Order, hold: { currency: string; seconds: number; capture: boolean }) => Promise<Entry>
  settle: (kind: 'capture' | 'cancel' | 'refund', order: Order) => Promise<Entry>
  /** The entry of an attempt; if there is none, it is entered as never received and stays refused. */
  close: (attemptId: string) => Promise<Entry>
}

export function createLedger(database: Database): Ledger {
  return {
    authorise: (order, hold) =>
      database.transaction(async (queries) => {
        const entry = await enter(queries, 'sale', order, order.code)
        if (entry.isNew && order.code === APPROVED) {
          const { holdId: id, amount } = order
          const { capture, currency, seconds } = hold
          const taken = capture
            ? ({ state: 'captured', captured: amount } as const)
            : ({ state: 'held', captured: 0 } as const)
          await queries.run(openHold, { id, amount, currency, seconds, ...taken })
        }
        return entry
      }),
    settle: (kind, order) =>
      database.transaction(async (queries) => {
        const [hold] = await queries.run(lockHold, { id: order.holdId })
        const decision =
          order.code === APPROVED ? decide(kind, order.amount, hold) : { code: order.code, hold: null }
        const entry = await enter(queries, kind, order, decision.code)
        if (entry.isNew && decision.hold !== null) {
          const { state, captured, refunded } = decision.hold
          await queries.run(settleHold, { id: order.holdId, state, captured, refunded })
        }
        return entry
      }),
    close: async (attemptId) => {
      const nothing = { kind: 'unknown', hold_id: '', amount: 0, response_code: '', reference: '' }
      await database.run(writeEntry, { ...nothing, attempt_id: attemptId, result: 'not_received' })
      return find(database, attemptId)
    },
  }
}

async function find(queries: Queries, attemptId: string): Promise<Entry> {
  const [entry] = await queries.run(findEntry, { attempt_id: attemptId })
  if (entry === undefined) throw new Error('an entry that was written is not there')
  return entry
}

/** Enters an order, or finds the entry that its attempt already has: that one counts. */
async function enter(
  queries: Queries,
  kind: string,
  order: Order,
  code: string,
): Promise<Entry & { isNew: boolean }> {
  const { attemptId, holdId, amount, reference } = order
  const [written] = await queries.run(writeEntry, {
    attempt_id: attemptId,
    kind,
    hold_id: holdId,
    amount,
    result: code === APPROVED ? 'approved' : 'declined',
    response_code: code,
    reference,
  })
  return written === undefined
    ? { ...(await find(queries, attemptId)), isNew: false }
    : { ...written, isNew: true }
}
