import type { Database, Queries } from '../../platform/database/database.ts'
import { bigint, bool, float8, text, textOf } from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import { claimCapture } from './sandbox-disputes.ts'

const APPROVED = '00'

const entryColumns = {
  attempt_id: text,
  hold_id: text,
  result: textOf<'approved' | 'declined' | 'not_received'>(),
  response_code: text,
  reference: text,
}
/** One attempt in the books. */
export type Entry = ValuesOf<typeof entryColumns>

interface Order {
  attemptId: string
  holdId: string
  amount: number
  /** The response code that the test scenario chose. */
  code: string
  reference: string
}

/**
 * Enters an authorisation, and opens its hold if it is approved; part of a transaction. One entry per attempt, however often it arrives.
 */
export async function enterAuthorisation(
  queries: Queries,
  order: Order,
  { currency, seconds, capture }: { currency: string; seconds: number; capture: boolean },
): Promise<Entry> {
  const entry = await enter(queries, 'sale', order, order.code)
  if (entry.isNew && order.code === APPROVED) {
    const { holdId: id, amount } = order
    const taken = capture
      ? ({ state: 'captured', captured: amount } as const)
      : ({ state: 'held', captured: 0 } as const)
    await queries.run(openHold, { id, amount, currency, seconds, ...taken })
    if (capture) await claimCapture(queries, { holdId: id, amount, currency })
  }
  return entry
}

/** Enters a capture, cancel or refund, and changes its hold if it is approved. */
export function enterFollowUp(
  database: Database,
  kind: 'capture' | 'cancel' | 'refund',
  order: Order,
): Promise<Entry> {
  return database.transaction(async (queries) => {
    const [hold] = await queries.run(lockHold, { id: order.holdId })
    const decision =
      order.code === APPROVED ? decide(kind, order.amount, hold) : { code: order.code, hold: null }
    const entry = await enter(queries, kind, order, decision.code)
    if (entry.isNew && decision.hold !== null) {
      const { state, captured, refunded } = decision.hold
      await queries.run(settleHold, { id: order.holdId, state, captured, refunded })
      if (kind === 'capture' && hold !== undefined)
        await claimCapture(queries, { holdId: order.holdId, amount: captured, currency: hold.currency })
    }
    return entry
  })
}

/** The entry of an attempt; an attempt without one is entered as never received, and stays refused. */
export async function closeEntry(queries: Queries, attemptId: string): Promise<Entry> {
  const nothing = { kind: 'unknown', hold_id: '', amount: 0, response_code: '', reference: '' }
  await queries.run(writeEntry, { ...nothing, attempt_id: attemptId, result: 'not_received' })
  return requireEntry(queries, attemptId)
}

/** The entry of an attempt; null if it has none yet. */
export async function entryOf(queries: Queries, attemptId: string): Promise<Entry | null> {
  const [entry] = await queries.run(findEntry, { attempt_id: attemptId })
  return entry ?? null
}

async function requireEntry(queries: Queries, attemptId: string): Promise<Entry> {
  const entry = await entryOf(queries, attemptId)
  if (entry === null) throw new Error('an entry that was written is not there')
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
    ? { ...(await requireEntry(queries, attemptId)), isNew: false }
    : { ...written, isNew: true }
}

/** Funds that the sandbox keeps for a sale; amounts in cents. */
interface Hold {
  amount: number
  currency: string
  captured: number
  refunded: number
  state: 'held' | 'captured' | 'voided'
  expired: boolean
}

type HoldMove = Pick<Hold, 'state' | 'captured' | 'refunded'>

/** The response code of a declined order, or the hold after an approved one. */
type Decision = { code: string; hold: null } | { code: '00'; hold: HoldMove }

const refuse = (code: string): Decision => ({ code, hold: null })

/** What an order does to a hold: captured or released once, then refunded up to what was captured. */
function decide(kind: 'capture' | 'cancel' | 'refund', amount: number, hold: Hold | undefined): Decision {
  if (hold?.state !== (kind === 'refund' ? 'captured' : 'held')) return refuse('12')
  switch (kind) {
    case 'cancel':
      return { code: '00', hold: { ...hold, state: 'voided' } }
    case 'capture':
      if (hold.expired) return refuse('79')
      if (amount > hold.amount) return refuse('13')
      return { code: '00', hold: { ...hold, state: 'captured', captured: amount } }
    case 'refund':
      if (hold.refunded + amount > hold.captured) return refuse('13')
      return { code: '00', hold: { ...hold, refunded: hold.refunded + amount } }
  }
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
  columns: { amount: bigint, currency: text, ...holdTypes, expired: bool },
  sql: `
    SELECT amount, currency, captured, refunded, state, expires_at <= now() AS expired FROM sandbox_gateway.holds
    WHERE id = :id FOR UPDATE`,
})
const settleHold = statement({
  name: 'sandbox_settle_hold',
  values: { id: text, ...holdTypes },
  columns: {},
  sql: `
    UPDATE sandbox_gateway.holds SET state = :state, captured = :captured, refunded = :refunded WHERE id = :id`,
})
