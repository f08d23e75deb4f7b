import type { Actor } from '../../../contract/dashboard/audit.ts'
import type { MonotonicClock } from '../../platform/clocks.ts'
import type { Queries } from '../../platform/database/database.ts'
import { bigint, cents, float8, integer, text, textOf } from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import { MAX_COUNTED } from '../../platform/metrics.ts'
import { ASK_AFTER, ASK_AFTER_SECONDS } from './attempt-store.ts'
import type { AttemptStoreDeps } from './attempt-store.ts'
import { recordOutcome } from './settle.ts'
import type { FinalAnswer } from './attempt-outcome.ts'
import type { AttemptResult } from './settle.ts'
import { findCharge } from './charge-store.ts'
import type { AttemptType, Charge } from './charge.ts'

const AGE = 'extract(epoch FROM now() - a.created_at)'
/** SQL: whether no card holder is being asked about an open attempt any more, so that its outcome is due. `a`: what its columns begin with. */
const isNobodyAsked = (a = ''): string =>
  `(${a}authentication IS NULL OR ${a}ask_after <= now() OR (${a}authentication ->> 'expiresAt')::timestamptz <= now())`
/** SQL: an attempt whose outcome nobody knows, although it is due. */
export const IS_UNKNOWN = `outcome = 'open' AND created_at < now() - ${ASK_AFTER} AND ${isNobodyAsked()}`
/** The oldest open attempts but those whose card holder is being asked, by the index attempts_open_by_age; only as many are read as are shown or counted. */
const unknown = (most: number) => `
  a.settled_at IS NULL AND a.created_at < now() - make_interval(secs => :seconds)
  AND ${isNobodyAsked('a.')}
  ORDER BY a.created_at LIMIT ${String(most)}`

export const countUnknown = statement({
  name: 'unknown_outcomes_count',
  values: { seconds: float8 },
  columns: { count: bigint, oldest: float8 },
  sql: `
    SELECT count(*) AS count, coalesce(max(${AGE}), 0)::float8 AS oldest
    FROM (SELECT a.created_at FROM attempts a WHERE ${unknown(MAX_COUNTED)}) a`,
})
const unknownColumns = {
  attempt_id: text,
  charge_id: text,
  merchant_id: text,
  type: textOf<AttemptType>(),
  amount_cents: cents,
  times_asked: integer,
  age_seconds: integer,
}
export const listUnknown = statement({
  name: 'unknown_outcomes_list',
  values: { seconds: float8 },
  columns: unknownColumns,
  sql: `
    SELECT a.id AS attempt_id, a.charge_id, c.merchant_id, a.type, a.amount AS amount_cents, a.times_asked,
           floor(${AGE})::int AS age_seconds
    FROM attempts a JOIN charges c ON c.id = a.charge_id
    WHERE ${unknown(1000)}`,
})

/** An attempt that was sent to a gateway and whose outcome nobody knows. */
export type UnknownOutcome = ValuesOf<typeof unknownColumns>

/** How many outcomes are unknown, up to `MAX_COUNTED`, and the age of the oldest. */
export async function countUnknownOutcomes(
  database: Queries,
): Promise<{ count: number; oldestSeconds: number }> {
  const [row] = await database.run(countUnknown, { seconds: ASK_AFTER_SECONDS })
  return { count: row?.count ?? 0, oldestSeconds: row?.oldest ?? 0 }
}

/** Attempts whose outcome has been unknown for this many seconds, the oldest first, 1,000 at most. */
export function listUnknownOutcomes(
  database: Queries,
  seconds = ASK_AFTER_SECONDS,
): Promise<UnknownOutcome[]> {
  return database.run(listUnknown, { seconds })
}

interface Watch {
  database: Queries
  /** Called once for each outcome that stays unknown, and again each hour. */
  warn: (unknown: UnknownOutcome) => void
  clock: MonotonicClock
}

const WARN_AFTER_SECONDS = 60
const AGAIN_AFTER_MS = 3_600_000

/** The work of a job: reports outcomes that have been unknown for over a minute. */
export function watchUnknownOutcomes({ database, warn, clock }: Watch): () => Promise<void> {
  let warnedAt = new Map<string, number>()
  return async () => {
    const unknown = await listUnknownOutcomes(database, WARN_AFTER_SECONDS)
    const now = clock.elapsedMs()
    const before = warnedAt
    warnedAt = new Map()
    for (const one of unknown) {
      const last = before.get(one.attempt_id)
      const isDue = last === undefined || now - last >= AGAIN_AFTER_MS
      if (isDue) warn(one)
      warnedAt.set(one.attempt_id, isDue ? now : last)
    }
  }
}

/** The age from which an outcome may be entered: gateways keep our ids for seven days or more, so by then nothing sends an attempt again. */
export const ENTERED_FROM_DAYS = 8
const DAY_SECONDS = 86_400

const selectAttempt = statement({
  name: 'find_attempt_to_enter',
  values: { attempt_id: text },
  columns: { charge_id: text, age_seconds: integer },
  sql: `
    SELECT charge_id, floor(extract(epoch FROM now() - created_at))::int AS age_seconds
    FROM attempts WHERE id = :attempt_id`,
})

/** What an operator saw at the gateway: the attempt was carried out, under the gateway's id, or it was not and never will be. */
export type SeenOutcome = { isCarriedOut: true; externalId: string } | { isCarriedOut: false }

/**
 * `known`: the attempt already had an outcome, which stays. `too_young`: the service still asks the gateway, or sends the attempt again.
 * `of_another`: the gateway's id belongs to an attempt of another charge.
 */
export type EnteredOutcome =
  | { kind: 'not_found' | 'too_young' }
  | { kind: 'of_another'; type: AttemptType; chargeId: string }
  | ({ kind: 'known' | 'entered' } & AttemptResult)

/** Enters the outcome of an attempt whose gateway can no longer be asked. `enteredBy`: who does so, for the audit log. */
export async function enterOutcome(
  deps: AttemptStoreDeps,
  attemptId: string,
  seen: SeenOutcome,
  enteredBy: Actor,
): Promise<EnteredOutcome> {
  const { database } = deps
  const [row] = await database.run(selectAttempt, { attempt_id: attemptId })
  const charge = row === undefined ? null : await findCharge(database, row.charge_id)
  const attempt = charge?.attempts.find(({ id }) => id === attemptId)
  if (row === undefined || charge === null || attempt === undefined) return { kind: 'not_found' }
  if (attempt.outcome !== 'open') return { kind: 'known', charge, attempt }
  if (row.age_seconds < ENTERED_FROM_DAYS * DAY_SECONDS) return { kind: 'too_young' }
  const { type } = attempt
  const otherCharge = seen.isCarriedOut
    ? await findChargeByExternalId(database, charge, { type, externalId: seen.externalId })
    : null
  if (otherCharge !== null) return { kind: 'of_another', type, chargeId: otherCharge }
  const { isRecorded, ...result } = await recordOutcome(deps, charge, attempt, toAnswer(seen), enteredBy)
  return { kind: isRecorded ? 'entered' : 'known', ...result }
}

/** An entered hold is over, as it is older than issuers keep one: it is released and never captured. */
function toAnswer(seen: SeenOutcome): FinalAnswer {
  if (!seen.isCarriedOut) return { kind: 'not_received' }
  return {
    kind: 'approved',
    holdSeconds: 0,
    code: 'entered',
    description: "Entered by the service's operator",
    externalId: seen.externalId,
    externalReference: null,
  }
}

const selectByExternalId = statement({
  name: 'find_attempt_with_external_id',
  values: { gateway_type: text, type: textOf<AttemptType>(), external_id: text },
  columns: { charge_id: text },
  sql: `
    SELECT charge_id FROM attempts JOIN charges ON charges.id = charge_id
    WHERE external_id = :external_id AND type = :type AND outcome = 'approved'
      AND payment_source->>'gateway_type' = :gateway_type LIMIT 1`,
})

/**
 * The charge of an approved attempt with this id of the gateway; null if there is none. Other merchants' gateways of the type count too: two of
 * them may be one account, and a gateway never gives an id twice.
 */
export async function findChargeByExternalId(
  queries: Queries,
  { gatewayType }: Pick<Charge, 'gatewayType'>,
  { type, externalId }: { type: AttemptType; externalId: string },
): Promise<string | null> {
  const sought = { gateway_type: gatewayType, type, external_id: externalId }
  const [row] = await queries.run(selectByExternalId, sought)
  return row?.charge_id ?? null
}
