import type { Queries } from '../../../platform/database/database.ts'
import { integer, text, textOf, timestamptz } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import type { Attempt, AttemptType, Charge } from '../charge.ts'
import type { ChargeStore } from '../charge-store.ts'
import type { FinalAnswer, Movement, RecordOutcome } from '../movements/record-outcome.ts'

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
 * The charge of another movement that the gateway calls so. Looked for beside the attempt's charge: of one gateway, made within a day of
 * it. There is what a person takes for it, such as the shopper's second try. The attempts of each are looked up: a join would read the
 * whole table.
 */
const findNamesake = statement({
  name: 'find_attempt_with_external_id',
  values: {
    merchant_id: text,
    gateway_id: text,
    made_at: timestamptz,
    type: textOf<AttemptType>(),
    external_id: text,
  },
  columns: { charge_id: text },
  sql: `
    SELECT other.charge_id FROM charges c CROSS JOIN LATERAL (
      SELECT charge_id FROM attempts
      WHERE charge_id = c.id AND type = :type AND outcome = 'approved' AND external_id = :external_id LIMIT 1
    ) other
    WHERE c.merchant_id = :merchant_id AND c.gateway_id = :gateway_id
      AND c.created_at BETWEEN :made_at::timestamptz - interval '1 day' AND :made_at::timestamptz + interval '1 day'
    ORDER BY c.created_at DESC LIMIT 1`,
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
  actor: string
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
  const namesake = await namesakeOf(queries, charge, attempt, seen)
  if (namesake !== null) return { kind: 'of_another', type: attempt.type, chargeId: namesake }
  const { isRecorded, ...movement } = await record(charge, attempt, toAnswer(seen), actor)
  return { kind: isRecorded ? 'entered' : 'known', ...movement }
}

async function namesakeOf(
  queries: Queries,
  { merchantId, gatewayId, createdAt }: Charge,
  { type }: Attempt,
  seen: SeenOutcome,
): Promise<string | null> {
  if (!seen.isCarriedOut) return null
  const values = { merchant_id: merchantId, gateway_id: gatewayId, made_at: createdAt, type }
  const [row] = await queries.run(findNamesake, { ...values, external_id: seen.externalId })
  return row?.charge_id ?? null
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
