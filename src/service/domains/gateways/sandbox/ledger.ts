import { statement } from '../../../platform/database/database.ts'
import type { Database, Queries } from '../../../platform/database/database.ts'

import { decide } from './hold.ts'
import type { Hold } from './hold.ts'

const APPROVED = '00'

/** An operation as the sandbox gateway's own books hold it. */
export interface Entry {
  attempt_id: string
  hold_id: string
  result: 'approved' | 'declined' | 'not_received'
  response_code: string
  reference: string
}

interface Order {
  attemptId: string
  holdId: string
  amount: number
  /** Response code that steering chose. */
  code: string
  reference: string
}

const findEntry = statement<Entry>(
  'sandbox_find_entry',
  'SELECT attempt_id, hold_id, result, response_code, reference FROM sandbox_gateway.operations WHERE attempt_id = $1',
)
const writeEntry = statement<Entry>(
  'sandbox_write_entry',
  `INSERT INTO sandbox_gateway.operations (attempt_id, kind, hold_id, amount, result, response_code, reference)
   VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING
   RETURNING attempt_id, hold_id, result, response_code, reference`,
)
const openHold = statement(
  'sandbox_open_hold',
  `INSERT INTO sandbox_gateway.holds (id, amount, currency, captured, state, expires_at)
   VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 second')`,
)
const lockHold = statement<Hold>(
  'sandbox_lock_hold',
  'SELECT amount, captured, refunded, state, expires_at <= now() AS expired FROM sandbox_gateway.holds WHERE id = $1 FOR UPDATE',
)
const settleHold = statement(
  'sandbox_settle_hold',
  'UPDATE sandbox_gateway.holds SET state = $2, captured = $3, refunded = $4 WHERE id = $1',
)

/** The books of the sandbox gateway: one entry per attempt, whatever arrives how often. */
export interface Ledger {
  sell: (order: Order, hold: { currency: string; seconds: number; capture: boolean }) => Promise<Entry>
  settle: (kind: 'capture' | 'cancel' | 'refund', order: Order) => Promise<Entry>
  /** The entry of an attempt; if there is none, it is entered as never received and stays refused. */
  close: (attemptId: string) => Promise<Entry>
}

export function createLedger(database: Database): Ledger {
  return {
    sell: (order, hold) =>
      database.transaction(async (queries) => {
        const entry = await enter(queries, 'sale', order, order.code)
        if (entry.isNew && order.code === APPROVED) {
          const [state, captured] = hold.capture ? ['captured', order.amount] : ['held', 0]
          await queries.run(openHold, [
            order.holdId,
            order.amount,
            hold.currency,
            captured,
            state,
            hold.seconds,
          ])
        }
        return entry
      }),
    settle: (kind, order) =>
      database.transaction(async (queries) => {
        const [hold] = await queries.run(lockHold, [order.holdId])
        const decision =
          order.code === APPROVED ? decide(kind, order.amount, hold) : { code: order.code, hold: null }
        const entry = await enter(queries, kind, order, decision.code)
        if (entry.isNew && decision.hold !== null) {
          const { state, captured, refunded } = decision.hold
          await queries.run(settleHold, [order.holdId, state, captured, refunded])
        }
        return entry
      }),
    close: async (attemptId) => {
      await database.run(writeEntry, [attemptId, 'unknown', '', 0, 'not_received', '', ''])
      return find(database, attemptId)
    },
  }
}

async function find(queries: Queries, attemptId: string): Promise<Entry> {
  const [entry] = await queries.run(findEntry, [attemptId])
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
  const result = code === APPROVED ? 'approved' : 'declined'
  const [written] = await queries.run(writeEntry, [attemptId, kind, holdId, amount, result, code, reference])
  return written === undefined
    ? { ...(await find(queries, attemptId)), isNew: false }
    : { ...written, isNew: true }
}
