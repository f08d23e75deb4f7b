import { isConflict } from '../../platform/database/database.ts'
import type { Database } from '../../platform/database/database.ts'
import type { GatewayAnswer } from '../gateways/gateway.ts'
import type { PageFilter } from '../../platform/http/page-query.ts'
import { valuesOf } from '../../platform/jobs/fair-shares.ts'
import type { Room, Task } from '../../platform/jobs/fair-shares.ts'
import type { WriteEvent } from '../../platform/write-event.ts'
import type { Attempt, Charge, ChargeStatus, Outcome } from './charge.ts'
import type { ChargeEvent } from './charge-event.ts'
import { toCharges } from './charge-row.ts'
import { beginTogether } from './begin-together.ts'
import type { Alongside } from './begin-together.ts'
import type { Repeatable } from './caller.ts'
import * as sql from './charge-sql.ts'
import type { TokenClaim } from './charge-sql.ts'
import * as unfinished from './unfinished-sql.ts'

/** A charge as it begins, with the one attempt that begins it. */
export type NewCharge = Omit<
  Charge,
  'createdAt' | 'updatedAt' | 'attempts' | 'isHoldOver' | 'ageMs' | 'version'
>

export type NewAttempt = Pick<Attempt, 'id' | 'type' | 'reason' | 'amount' | 'sourceIp' | 'reference'> & {
  /** The request that asks for it, if it may come again. */
  repeatable: Repeatable | null
}

/** What the gateway's answer means for an attempt and its charge. */
export interface Settlement {
  outcome: Exclude<Outcome, 'open'>
  status: ChargeStatus
  answer: Exclude<GatewayAnswer, { kind: 'unknown' }> | { kind: 'not_received' }
  /** Written with it: there is no settlement without its event. */
  event: ChargeEvent
}

export interface KnownRequest {
  hash: string
  /** Nobody waits for the gateway's answer any more. */
  isDue: boolean
  charge: Charge
  attempt: Attempt
}

/** Charges and attempts in SQL. */
export interface ChargeStore {
  find: (id: string) => Promise<Charge | null>
  list: (merchantId: string, filter: PageFilter) => Promise<Charge[]>
  /** When it was written, or null when the token could not be taken, or the request has come before. */
  beginSale: (charge: NewCharge, attempt: NewAttempt, alongside: Alongside | null) => Promise<Date | null>
  /** When it was written, or null when the charge is no longer as it was read, or the request has come before. */
  beginFollowUp: (charge: Charge, attempt: NewAttempt) => Promise<Date | null>
  /** When it was recorded, or null when it had been recorded before. */
  settle: (charge: Charge, attempt: Attempt, settlement: Settlement) => Promise<Date | null>
  /** Leaves an attempt that was sent and not answered to be asked for, and erases the card of a sale. */
  leaveOpen: (charge: Charge, attempt: Attempt) => Promise<void>
  /** What a request made when it came before. */
  findByRequest: (requestKey: string) => Promise<KnownRequest | null>
  forgetRequests: () => Promise<void>
  /** Attempts whose outcome may be asked for now, to choose from; a task's id is the attempt's. */
  findDueAttempts: (room: Room) => Promise<Task[]>
  /** Of these, what is still due: for this process alone for 8 s. */
  takeAttempts: (chosen: readonly Task[]) => Promise<(Task & { chargeId: string })[]>
  /** Holds that may be released now, to choose from; a task's id is the charge's. */
  findEndedHolds: (room: Room) => Promise<Task[]>
}

export function createChargeStore(
  database: Database,
  tokens: TokenClaim,
  writeEvent: WriteEvent,
): ChargeStore {
  const beginSale = sql.beginSale(tokens)
  const leaveOpen = sql.leaveOpen(tokens)
  const find = async (id: string) => toCharges(await database.run(sql.findCharge, [id]))[0] ?? null
  return {
    find,
    async list(merchantId, { after, status, reference, from, to, limit, skip }) {
      const place = [after?.createdAt, after?.id]
      const values = [merchantId, ...place, status, reference, from, to, limit, skip]
      return toCharges(await database.run(sql.listCharges, values))
    },
    async beginSale(charge, attempt, alongside) {
      const values = [...attemptValuesOf(charge.id, attempt), ...saleValuesOf(charge)]
      const begun =
        alongside === null
          ? database.run(beginSale, values)
          : beginTogether(database, charge.id, alongside, (queries) => queries.run(beginSale, values))
      const [row] = await unlessRepeated(begun)
      return row?.created_at ?? null
    },
    async beginFollowUp(charge, attempt) {
      const isOver = attempt.reason === 'authorisation_expired'
      const status = attempt.type === 'refund' ? 'complete' : 'pending'
      const values = [...attemptValuesOf(charge.id, attempt), charge.version, status, isOver]
      const [row] = await unlessRepeated(database.run(sql.beginFollowUp, values))
      return row?.created_at ?? null
    },
    settle: settling(database, tokens, writeEvent),
    leaveOpen: async (charge, attempt) => {
      await database.run(leaveOpen, [charge.tokenHash, attempt.id])
    },
    async findByRequest(requestKey) {
      const [row] = await database.run(sql.findByRequest, [requestKey])
      const charge = row === undefined ? null : await find(row.charge_id)
      const attempt = charge?.attempts.find(({ id }) => id === row?.id)
      if (row === undefined || charge === null || attempt === undefined) return null
      return { hash: row.request_hash, isDue: row.is_due, charge, attempt }
    },
    ...choresOf(database),
  }
}

function settling(database: Database, tokens: TokenClaim, writeEvent: WriteEvent): ChargeStore['settle'] {
  const sale = sql.settleSale(tokens, writeEvent)
  const followUp = sql.settleFollowUp(writeEvent)
  return async (charge, attempt, settlement) => {
    const values = [...outcomeValuesOf(attempt.id, settlement), ...eventValuesOf(charge, settlement)]
    const settleSale = settlement.outcome === 'unreachable' ? sale.release : sale.spend
    const [row] =
      attempt.type === 'sale'
        ? await database.run(settleSale, [...values, charge.tokenHash])
        : await database.run(followUp, values)
    return row?.settled_at ?? null
  }
}

function choresOf(
  database: Database,
): Pick<ChargeStore, 'findDueAttempts' | 'takeAttempts' | 'findEndedHolds' | 'forgetRequests'> {
  return {
    findDueAttempts: async (room) =>
      (await database.run(unfinished.findDueAttempts, valuesOf(room))).map(toTask),
    async takeAttempts(chosen) {
      const rows = await database.run(unfinished.takeAttempts, [chosen.map(({ id }) => id)])
      const chargeIds = new Map(rows.map(({ id, charge_id: chargeId }) => [id, chargeId]))
      return chosen.flatMap((task) => {
        const chargeId = chargeIds.get(task.id)
        return chargeId === undefined ? [] : [{ ...task, chargeId }]
      })
    },
    findEndedHolds: async (room) =>
      (await database.run(unfinished.findEndedHolds, valuesOf(room))).map(toTask),
    forgetRequests: () => database.run(sql.forgetRequests, []).then(() => undefined),
  }
}

/** Its target is the gateway account. */
function toTask({ id, merchant_id: merchantId, gateway_id: targetId }: unfinished.DueRow): Task {
  return { id, merchantId, targetId }
}

/** A request that came before left its key behind, and so another attempt under it is not written. */
async function unlessRepeated<Row>(begun: Promise<Row[]>): Promise<Row[]> {
  try {
    return await begun
  } catch (error) {
    if (isConflict(error, 'attempts_by_request')) return []
    throw error
  }
}

/** $1 to $9 of the statements that begin an attempt. */
function attemptValuesOf(chargeId: string, attempt: NewAttempt): unknown[] {
  const { id, type, reason, amount, sourceIp, reference, repeatable } = attempt
  return [id, chargeId, type, reason, amount, sourceIp, reference, repeatable?.key, repeatable?.hash]
}

/** $10 on of the statement that begins a sale. */
function saleValuesOf(charge: NewCharge): unknown[] {
  return [
    charge.tokenHash,
    charge.merchantId,
    charge.gatewayId,
    charge.preAuth,
    charge.currency,
    charge.reference,
    charge.description,
    JSON.stringify(charge.customer),
    JSON.stringify(charge.paymentSource),
  ]
}

/** $1 to $9 of the statements that settle one. */
function outcomeValuesOf(attemptId: string, { outcome, status, answer }: Settlement): unknown[] {
  const reason = answer.kind === 'declined' ? answer.reason : null
  const holdSeconds = answer.kind === 'approved' && status === 'pending' ? answer.holdSeconds : null
  return [attemptId, outcome, reason, ...answeredValuesOf(answer), status, holdSeconds]
}

/** $10 to $13 of them: an event bears the attempt's id, and is about the charge. */
function eventValuesOf({ merchantId }: Charge, { event }: Settlement): string[] {
  return [merchantId, event.type, event.actor, JSON.stringify(event.facts)]
}

function answeredValuesOf(answer: Settlement['answer']): (string | null)[] {
  if (answer.kind !== 'approved' && answer.kind !== 'declined') return [null, null, null, null]
  return [answer.code, answer.description, answer.externalId, answer.externalReference]
}
