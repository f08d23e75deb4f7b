import { statement } from '../../database/database.ts'
import type { Database, Queries } from '../../database/database.ts'

const APPROVED = '00'

/** An operation as the sandbox gateway's own books hold it. */
export interface Entry {
  attempt_id: string
  hold_id: string
  result: 'approved' | 'declined' | 'not_received'
  response_code: string
  reference: string
}

interface Hold {
  amount: number
  state: 'held' | 'captured' | 'voided'
  expired: boolean
}

interface Order {
  attemptId: string
  kind: 'sale' | 'capture' | 'cancel'
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
  'SELECT amount, state, expires_at <= now() AS expired FROM sandbox_gateway.holds WHERE id = $1 FOR UPDATE',
)
const settleHold = statement(
  'sandbox_settle_hold',
  'UPDATE sandbox_gateway.holds SET state = $2, captured = $3 WHERE id = $1',
)

/** The books of the sandbox gateway: one entry per attempt, whatever arrives how often. */
export interface Ledger {
  sell: (order: Order, hold: { currency: string; seconds: number; capture: boolean }) => Promise<Entry>
  settle: (order: Order) => Promise<Entry>
  /** The entry of an attempt; if there is none, it is entered as never received and stays refused. */
  close: (attemptId: string) => Promise<Entry>
}

export function createLedger(database: Database): Ledger {
  return {
    sell: (order, hold) =>
      database.transaction(async (queries) => {
        const entry = await enter(queries, order, order.code)
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
    settle: (order) =>
      database.transaction(async (queries) => {
        const [hold] = await queries.run(lockHold, [order.holdId])
        const code = order.code === APPROVED ? codeForHold(order, hold) : order.code
        const entry = await enter(queries, order, code)
        if (entry.isNew && code === APPROVED) {
          const [state, captured] = order.kind === 'capture' ? ['captured', order.amount] : ['voided', 0]
          await queries.run(settleHold, [order.holdId, state, captured])
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
async function enter(queries: Queries, order: Order, code: string): Promise<Entry & { isNew: boolean }> {
  const { attemptId, kind, holdId, amount, reference } = order
  const result = code === APPROVED ? 'approved' : 'declined'
  const [written] = await queries.run(writeEntry, [attemptId, kind, holdId, amount, result, code, reference])
  return written === undefined
    ? { ...(await find(queries, attemptId)), isNew: false }
    : { ...written, isNew: true }
}

/** Whether a hold can be taken or released; the first who does so ends it (a hold is settled once). */
function codeForHold(order: Order, hold: Hold | undefined): string {
  if (hold?.state !== 'held') return '12'
  if (order.kind === 'cancel') return APPROVED
  if (hold.expired) return '79'
  return order.amount > hold.amount ? '13' : APPROVED
}
