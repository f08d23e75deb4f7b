import { MAX_SHOWN } from '../../../contract/dashboard/overview.ts'
import type { NeedsAttention } from '../../../contract/dashboard/overview.ts'
import type { Database } from '../../platform/database/database.ts'
import {
  bigint,
  bool,
  cents,
  notNull,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import { MAX_READ, toNeeds } from '../../platform/listing/needs-attention.ts'
import type { AttemptType } from './charge.ts'
import { IS_UNKNOWN } from './unknown-outcomes.ts'

/**
 * Attempts whose outcome nobody knows, holds that could not be released, holds that end within a day, and what a gateway said later that it
 * had not carried out.
 */
export async function findChargesToAttend(database: Database, merchantId: string): Promise<NeedsAttention[]> {
  const values = { merchant_id: merchantId, most: MAX_READ }
  const [sales, followUps, unreleased, ending, undone] = await Promise.all([
    database.run(selectOpenAttempts, { ...values, of_sales: true }),
    database.run(selectOpenAttempts, { ...values, of_sales: false }),
    database.run(selectUnreleasedHolds, { ...values, shown: MAX_SHOWN }),
    database.run(selectEndingHolds, { ...values, shown: MAX_SHOWN }),
    database.run(selectUndone, values),
  ])
  return [
    ...outcomeNeeds('outcome_unknown', { status: 'outcome_unknown' }, sales),
    ...outcomeNeeds('follow_up_unknown', null, followUps),
    ...holdNeeds('hold_not_released', unreleased),
    ...holdNeeds('hold_ends', ending),
    ...outcomeNeeds('failed_later', null, undone),
  ]
}

/** The most open attempts that are read of one gateway account, the longest due first; few are open at a time. */
const MAX_LOOKED_AT = 5000

const openColumns = {
  id: text,
  at: timestamptz,
  type: textOf<AttemptType>(),
  amount: cents,
  currency: text,
}

/** The gateway accounts that the merchant has used, as a part of a `WITH RECURSIVE`, one look into the index of its charges for each. */
const USED = `
  used (id) AS (
    (SELECT gateway_id FROM charges WHERE merchant_id = :merchant_id ORDER BY gateway_id LIMIT 1)
    UNION ALL
    SELECT (
      SELECT gateway_id FROM charges WHERE merchant_id = :merchant_id AND gateway_id > used.id ORDER BY gateway_id LIMIT 1
    ) FROM used WHERE used.id IS NOT NULL
  )`

/**
 * Open attempts: sales (the charge is `processing`) or follow-ups (its status is unchanged). Looks only at the gateway accounts that the
 * merchant has used, one look into the index of its charges for each.
 */
export const selectOpenAttempts = statement({
  name: 'find_open_outcomes_of_merchant',
  values: { merchant_id: text, of_sales: bool, most: bigint },
  columns: openColumns,
  sql: `
    WITH RECURSIVE ${USED}
    SELECT c.id, a.created_at AS at, a.type, a.amount, c.currency
    FROM used CROSS JOIN LATERAL (
      SELECT charge_id, created_at, type, amount FROM attempts
      WHERE gateway_id = used.id AND ${IS_UNKNOWN}
      ORDER BY ask_after LIMIT ${String(MAX_LOOKED_AT)}
    ) a CROSS JOIN LATERAL (
      SELECT id, currency FROM charges WHERE id = a.charge_id AND merchant_id = :merchant_id LIMIT 1
    ) c
    WHERE (a.type = 'sale') = :of_sales
    ORDER BY a.created_at LIMIT :most`,
})

/** What a gateway undid in the last 30 days, by the type of what was undone; settled once anything else was done with the charge. */
const selectUndone = statement({
  name: 'find_undone_of_merchant',
  values: { merchant_id: text, most: bigint },
  columns: openColumns,
  sql: `
    WITH RECURSIVE ${USED}
    SELECT c.id, r.created_at AS at, undone.type, r.amount, c.currency
    FROM used CROSS JOIN LATERAL (
      SELECT charge_id, reverses, created_at, amount, place FROM attempts
      WHERE type = 'reversal' AND gateway_id = used.id AND created_at > now() - interval '30 days'
      ORDER BY created_at DESC LIMIT ${String(MAX_LOOKED_AT)}
    ) r CROSS JOIN LATERAL (
      SELECT id, currency FROM charges WHERE id = r.charge_id AND merchant_id = :merchant_id LIMIT 1
    ) c CROSS JOIN LATERAL (SELECT type FROM attempts WHERE id = r.reverses LIMIT 1) undone
    WHERE NOT EXISTS (
      SELECT FROM attempts WHERE charge_id = r.charge_id AND place > r.place AND outcome = 'approved' AND type <> 'reversal'
    )
    ORDER BY r.created_at LIMIT :most`,
})

const holdColumns = {
  id: text,
  at: notNull(timestamptz),
  amount: cents,
  currency: text,
  reference: nullable(text),
  found: bigint,
}

/** The holds that end first, and how many there are: a merchant may have hundreds, so the database counts them. */
function selectHolds(name: string, condition: string) {
  const holds = `
    charges WHERE merchant_id = :merchant_id AND status = 'pending' AND hold_expires_at IS NOT NULL AND ${condition}`
  return statement({
    name,
    values: { merchant_id: text, most: bigint, shown: bigint },
    columns: holdColumns,
    sql: `
      SELECT id, hold_expires_at AS at, amount, currency, reference,
             (SELECT count(*) FROM (SELECT FROM ${holds} LIMIT :most) counted) AS found
      FROM ${holds} ORDER BY hold_expires_at LIMIT :shown`,
  })
}

export const selectEndingHolds = selectHolds(
  'find_ending_holds_of_merchant',
  "hold_expires_at > now() AND hold_expires_at <= now() + interval '1 day'",
)
/** Holds whose time is over and whose release has failed more than once: a single failure may be temporary. */
export const selectUnreleasedHolds = selectHolds(
  'find_unreleased_holds_of_merchant',
  'hold_expires_at <= now() AND release_attempts > 1',
)

function outcomeNeeds(
  kind: 'outcome_unknown' | 'follow_up_unknown' | 'failed_later',
  query: NeedsAttention['target']['query'],
  open: readonly ValuesOf<typeof openColumns>[],
): NeedsAttention[] {
  return toNeeds(
    open,
    { kind, target: { page: 'charges', query } },
    ({ id, at, type, amount, currency }) => ({
      id,
      at,
      words: type,
      cents: amount,
      currency,
    }),
  )
}

function holdNeeds(
  kind: 'hold_not_released' | 'hold_ends',
  holds: readonly ValuesOf<typeof holdColumns>[],
): NeedsAttention[] {
  return toNeeds(
    holds,
    { kind, target: { page: 'charges', query: { status: 'pending' } } },
    ({ id, at, amount, currency, reference }) => ({
      id,
      at,
      words: reference ?? '',
      cents: amount,
      currency,
    }),
    holds[0]?.found,
  )
}
