import { isConflict } from '../../platform/database/sql-state.ts'
import type { WriteEvent } from '../../platform/write-event.ts'
import type { Database } from '../../platform/database/database.ts'
import { countIn } from '../../platform/jobs/batches.ts'
import type { PageFilter } from '../../platform/listing/page-query.ts'
import { toCapacityValues } from '../../platform/concurrency/fairness.ts'
import type { Capacity, Task } from '../../platform/concurrency/fairness.ts'
import { statusesFor } from './charge.ts'
import type { Attempt, Charge } from './charge.ts'
import { toCharges } from './statements/charge-row.ts'
import { noteEndedHolds } from './statements/ended-holds-sql.ts'
import { beginTogether } from './statements/begin-together.ts'
import type { InSameTransaction } from './statements/begin-together.ts'
import { createSearchStore } from './search/search-store.ts'
import * as sql from './statements/charge-sql.ts'
import * as movement from './statements/movement-sql.ts'
import type { TokenClaim } from './statements/movement-sql.ts'
import { attemptValuesOf, outcomeValuesOf, saleValuesOf } from './statements/movement-values.ts'
import type { NewAttempt, NewCharge, Settlement } from './statements/movement-values.ts'
import * as unfinished from './statements/unfinished-sql.ts'

/** When an attempt was written, and the version that its charge has since. */
interface Written {
  createdAt: Date
  version: number
}

export interface KnownRequest {
  hash: string | null
  /** Nobody waits for the gateway's answer now. */
  isDue: boolean
  charge: Charge
  attempt: Attempt
}

/** Charges and attempts in SQL. */
export interface ChargeStore {
  find: (id: string) => Promise<Charge | null>
  /** Those that there are, by their ids. */
  findMany: (ids: readonly string[]) => Promise<ReadonlyMap<string, Charge>>
  list: (merchantId: string, filter: PageFilter) => Promise<Charge[]>
  /** Null when the token could not be taken, or the request has come before. */
  beginSale: (
    charge: NewCharge,
    attempt: NewAttempt,
    inSameTransaction: InSameTransaction | null,
  ) => Promise<Written | null>
  /** Null when the charge is no longer as it was read, or the request has come before. */
  beginFollowUp: (charge: Charge, attempt: NewAttempt) => Promise<Written | null>
  /** When it was recorded, with the charge's new version; null when it had been recorded before. */
  settle: (charge: Charge, settlement: Settlement) => Promise<{ settledAt: Date; version: number } | null>
  /** Leaves an attempt that was sent and not answered to be asked for, and erases the card of a sale. */
  leaveOpen: (charge: Charge, attempt: Attempt) => Promise<void>
  /** The attempt that a request made when it came before, and its charge; null when it is new. */
  findByRequest: (requestKey: string) => Promise<KnownRequest | null>
  forgetRequests: () => Promise<number>
  /** Attempts whose outcome may be asked for now, to choose from; a task's id is the attempt's. */
  findDueAttempts: (capacity: Capacity) => Promise<Task[]>
  /** Takes those that are still due, for this process alone for 8 s. */
  takeAttempts: (chosen: readonly Task[]) => Promise<(Task & { chargeId: string })[]>
  /** Notes which holds' time is over, of up to 1,000 that were not noted before, the longest over first. Answers with their number. */
  noteEndedHolds: () => Promise<number>
  /** Holds that are noted and may be released now, to choose from; a task's id is the charge's. */
  findEndedHolds: (capacity: Capacity) => Promise<Task[]>
}

export function createChargeStore(
  database: Database,
  tokenClaim: TokenClaim,
  writeEvent: WriteEvent,
): ChargeStore {
  const beginSale = movement.beginSale(tokenClaim)
  const leaveOpen = movement.leaveOpen(tokenClaim)
  const search = createSearchStore(database)
  const find = async (id: string) =>
    toCharges(await database.grouped.run(sql.findCharge, { charge_id: id }))[0] ?? null
  return {
    find,
    async findMany(ids) {
      const charges = toCharges(await database.run(sql.findCharges, { ids }))
      return new Map(charges.map((charge) => [charge.id, charge]))
    },
    async list(merchantId, filter) {
      const ids = await search.pageIds(merchantId, filter)
      return toCharges(await database.run(sql.findCharges, { ids }))
    },
    async beginSale(charge, attempt, inSameTransaction) {
      const values = { ...attemptValuesOf(charge.id, attempt), ...saleValuesOf(charge) }
      const begun =
        inSameTransaction === null
          ? database.grouped.run(beginSale, values)
          : beginTogether(database, charge.id, inSameTransaction, (queries) => queries.run(beginSale, values))
      const [row] = await unlessRepeated(begun)
      return row === undefined ? null : toWritten(row)
    },
    async beginFollowUp(charge, attempt) {
      const values = {
        ...attemptValuesOf(charge.id, attempt),
        version: charge.version,
        allowed: statusesFor(attempt.type),
        is_hold_over: attempt.reason === 'authorisation_expired',
      }
      const [row] = await unlessRepeated(database.grouped.run(movement.beginFollowUp, values))
      return row === undefined ? null : toWritten(row)
    },
    settle: settling(database, tokenClaim, writeEvent),
    leaveOpen: async (charge, attempt) => {
      await database.grouped.run(leaveOpen, { token_hash: charge.tokenHash, attempt_id: attempt.id })
    },
    async findByRequest(requestKey) {
      const [row] = await database.run(sql.findByRequest, { request_key: requestKey })
      const charge = row === undefined ? null : await find(row.charge_id)
      const attempt = charge?.attempts.find(({ id }) => id === row?.id)
      if (row === undefined || charge === null || attempt === undefined) return null
      return { hash: row.request_hash, isDue: row.is_due, charge, attempt }
    },
    ...jobsOf(database),
  }
}

function settling(database: Database, tokenClaim: TokenClaim, writeEvent: WriteEvent): ChargeStore['settle'] {
  const sale = movement.settleSale(tokenClaim, writeEvent)
  const followUp = movement.settleFollowUp(writeEvent)
  return async (charge, settlement) => {
    const { attempt } = settlement
    const values = outcomeValuesOf(charge, settlement)
    const settleSale = attempt.outcome === 'unreachable' ? sale.release : sale.spend
    const [row] =
      attempt.type === 'sale'
        ? await database.grouped.run(settleSale, { ...values, token_hash: charge.tokenHash })
        : await database.grouped.run(followUp, values)
    return row === undefined ? null : { settledAt: row.settled_at, version: row.version }
  }
}

function jobsOf(
  database: Database,
): Pick<
  ChargeStore,
  'findDueAttempts' | 'takeAttempts' | 'noteEndedHolds' | 'findEndedHolds' | 'forgetRequests'
> {
  return {
    findDueAttempts: async (capacity) =>
      (await database.run(unfinished.findDueAttempts, toCapacityValues(capacity))).map(toTask),
    async takeAttempts(chosen) {
      const rows = await database.run(unfinished.takeAttempts, { attempt_ids: chosen.map(({ id }) => id) })
      const chargeIds = new Map(rows.map(({ id, charge_id: chargeId }) => [id, chargeId]))
      return chosen.flatMap((task) => {
        const chargeId = chargeIds.get(task.id)
        return chargeId === undefined ? [] : [{ ...task, chargeId }]
      })
    },
    noteEndedHolds: async () => countIn(await database.run(noteEndedHolds, {})),
    findEndedHolds: async (capacity) =>
      (await database.run(unfinished.findEndedHolds, toCapacityValues(capacity))).map(toTask),
    forgetRequests: async () => countIn(await database.run(sql.forgetRequests, {})),
  }
}

/** Its target is the gateway account. */
function toTask({ id, merchant_id: merchantId, gateway_id: targetId }: unfinished.DueRow): Task {
  return { id, merchantId, targetId }
}

/** No rows when an attempt with the same request key is there already. */
async function unlessRepeated<Row>(begun: Promise<Row[]>): Promise<Row[]> {
  try {
    return await begun
  } catch (error) {
    if (isConflict(error, 'attempts_by_request')) return []
    throw error
  }
}

function toWritten({ created_at: createdAt, version }: { created_at: Date; version: number }): Written {
  return { createdAt, version }
}
