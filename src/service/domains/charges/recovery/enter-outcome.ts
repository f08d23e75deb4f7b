import type { Actor } from '../../../../contract/dashboard/audit.ts'
import type { Queries } from '../../../platform/database/database.ts'
import { integer, text } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import type { AttemptType } from '../charge.ts'
import type { ChargeStore } from '../charge-store.ts'
import type { FinalAnswer, Movement, RecordOutcome } from '../movements/record-outcome.ts'
import { findChargeByExternalId } from './find-charge-by-external-id.ts'

/**
 * From this age on an outcome may be entered: gateways keep our ids for seven days at the least, so that by then nothing sends a
 * capture or refund again.
 */
export const ENTERED_FROM_DAYS = 8
const DAY_SECONDS = 86_400

const findAttempt = statement({
  name: 'find_attempt_to_enter',
  values: { attempt_id: text },
  columns: { charge_id: text, age_seconds: integer },
  sql: `
    SELECT charge_id, floor(extract(epoch FROM now() - created_at))::int AS age_seconds
    FROM attempts WHERE id = :attempt_id`,
})

/**
 * What somebody saw at the gateway: the movement was carried out, under the gateway's id of it, or it was not and never will be.
 */
export type SeenOutcome = { isCarriedOut: true; externalId: string } | { isCarriedOut: false }

/**
 * `known`: it had an outcome before, which stands. `too_young`: the service still asks the gateway for it, or sends it again.
 * `of_another`: the gateway's id is that of another movement, whose charge it is.
 */
export type EnteredOutcome =
  | { kind: 'not_found' | 'too_young' }
  | { kind: 'of_another'; type: AttemptType; chargeId: string }
  | ({ kind: 'known' | 'entered' } & Movement)

interface Parts {
  queries: Queries
  store: Pick<ChargeStore, 'find'>
  record: RecordOutcome
  /** Who enters it, for the audit log. */
  actor: Actor
}

/** Enters the outcome of an attempt whose gateway can no longer be asked for it. */
export async function enterOutcome(
  { queries, store, record, actor }: Parts,
  attemptId: string,
  seen: SeenOutcome,
): Promise<EnteredOutcome> {
  const [row] = await queries.run(findAttempt, { attempt_id: attemptId })
  const charge = row === undefined ? null : await store.find(row.charge_id)
  const attempt = charge?.attempts.find(({ id }) => id === attemptId)
  if (row === undefined || charge === null || attempt === undefined) return { kind: 'not_found' }
  if (attempt.outcome !== 'open') return { kind: 'known', charge, attempt }
  if (row.age_seconds < ENTERED_FROM_DAYS * DAY_SECONDS) return { kind: 'too_young' }
  const { type } = attempt
  const otherCharge = seen.isCarriedOut
    ? await findChargeByExternalId(queries, charge, { type, externalId: seen.externalId })
    : null
  if (otherCharge !== null) return { kind: 'of_another', type, chargeId: otherCharge }
  const { isRecorded, ...movement } = await record(charge, attempt, toAnswer(seen), actor)
  return { kind: isRecorded ? 'entered' : 'known', ...movement }
}

/** A hold that is entered is over: it was made longer ago than issuers keep one, so it is released and not captured. */
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
