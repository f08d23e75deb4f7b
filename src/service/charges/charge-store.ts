import type { Database } from '../database/database.ts'
import type { GatewayAnswer } from '../gateways/gateway.ts'
import type { Attempt, Charge, ChargeStatus, Outcome } from './charge.ts'
import { toCharges } from './charge-row.ts'
import * as sql from './charge-sql.ts'
import type { TokenClaim } from './charge-sql.ts'

/** A charge as it begins, with the one attempt that begins it. */
export type NewCharge = Omit<Charge, 'createdAt' | 'updatedAt' | 'attempts' | 'isHoldOver' | 'version'>

export type NewAttempt = Pick<Attempt, 'id' | 'type' | 'reason' | 'amount' | 'sourceIp' | 'reference'>

/** What the gateway's answer means for an attempt and its charge. */
export interface Settlement {
  outcome: Exclude<Outcome, 'open'>
  status: ChargeStatus
  answer: Exclude<GatewayAnswer, { kind: 'unknown' }> | { kind: 'not_received' }
}

/** Charges and attempts in SQL. */
export interface ChargeStore {
  find: (id: string) => Promise<Charge | null>
  list: (
    merchantId: string,
    page: { limit: number; after: Pick<Charge, 'createdAt' | 'id'> | null },
  ) => Promise<Charge[]>
  /** When it was written, or null when the token could not be taken. */
  beginSale: (charge: NewCharge, attempt: NewAttempt) => Promise<Date | null>
  /** When it was written, or null when the charge is no longer as it was read. */
  beginFollowUp: (charge: Charge, attempt: NewAttempt) => Promise<Date | null>
  /** When it was recorded, or null when it had been recorded before. */
  settle: (charge: Charge, attempt: Attempt, settlement: Settlement) => Promise<Date | null>
  /** The card of a sale that was sent is not needed again, whatever became of it. */
  spendToken: (charge: Charge, attempt: Attempt) => Promise<void>
  takeDueAttempts: () => Promise<{ id: string; chargeId: string }[]>
  findEndedHolds: () => Promise<string[]>
}

export function createChargeStore(database: Database, tokens: TokenClaim): ChargeStore {
  const beginSale = sql.beginSale(tokens)
  const settleSale = sql.settleSale(tokens)
  const spendToken = sql.spendToken(tokens)
  return {
    find: async (id) => toCharges(await database.run(sql.findCharge, [id]))[0] ?? null,
    list: async (merchantId, { limit, after }) =>
      toCharges(
        await database.run(sql.listCharges, [merchantId, after?.createdAt ?? null, after?.id ?? null, limit]),
      ),
    async beginSale(charge, attempt) {
      const [row] = await database.run(beginSale, [
        ...valuesOf(charge.id, attempt),
        charge.token,
        charge.merchantId,
        charge.gatewayId,
        charge.preAuth,
        charge.currency,
        charge.reference,
        charge.description,
        JSON.stringify(charge.customer),
        JSON.stringify(charge.paymentSource),
      ])
      return row?.created_at ?? null
    },
    async beginFollowUp(charge, attempt) {
      const isOver = attempt.reason === 'authorisation_expired'
      const status = attempt.type === 'refund' ? 'complete' : 'pending'
      const values = [...valuesOf(charge.id, attempt), charge.version, status, isOver]
      const [row] = await database.run(sql.beginFollowUp, values)
      return row?.created_at ?? null
    },
    async settle(charge, attempt, settlement) {
      const values = outcomeValuesOf(attempt.id, settlement)
      const [row] =
        attempt.type === 'sale'
          ? await database.run(settlement.outcome === 'unreachable' ? settleSale.release : settleSale.spend, [
              ...values,
              charge.token,
            ])
          : await database.run(sql.settleFollowUp, values)
      return row?.settled_at ?? null
    },
    spendToken: async (charge, attempt) => {
      await database.run(spendToken, [charge.token, attempt.id])
    },
    takeDueAttempts: async () => {
      const rows = await database.run(sql.takeDueAttempts, [])
      return rows.map(({ id, charge_id: chargeId }) => ({ id, chargeId }))
    },
    findEndedHolds: async () => (await database.run(sql.findEndedHolds, [])).map(({ id }) => id),
  }
}

/** $1 to $7 of the statements that begin an attempt. */
function valuesOf(
  chargeId: string,
  { id, type, reason, amount, sourceIp, reference }: NewAttempt,
): unknown[] {
  return [id, chargeId, type, reason, amount, sourceIp, reference]
}

/** $1 to $9 of the statements that settle one. */
function outcomeValuesOf(attemptId: string, { outcome, status, answer }: Settlement): unknown[] {
  const reason = answer.kind === 'declined' ? answer.reason : null
  const holdSeconds = answer.kind === 'approved' && status === 'pending' ? answer.holdSeconds : null
  return [attemptId, outcome, reason, ...answeredValuesOf(answer), status, holdSeconds]
}

function answeredValuesOf(answer: Settlement['answer']): (string | null)[] {
  if (answer.kind !== 'approved' && answer.kind !== 'declined') return [null, null, null, null]
  return [answer.code, answer.description, answer.externalId, answer.externalReference]
}
