import type { Database, Queries } from '../../platform/database/database.ts'
import { arrayOf, bigint, bool, nullable, text, timestamptz } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'

/** How an account's notifications arrive, since its secrets were last changed. */
export interface Arrival {
  /** When the last one came that was proved, by whatever secrets were good then; null if none ever has. */
  heardAt: Date | null
  /** The same, of those that the newest secrets proved; null if none has yet. */
  newestHeardAt: Date | null
  /** Those that nothing proved, and what to put right in words; null if there were none. */
  refused: { count: number; at: Date; why: string } | null
}

interface Noted {
  heard: boolean
  /** When the secrets were changed that are the newest for this process. */
  newestOf: Date | null
  refused: number
  why: string | null
}

/**
 * Remembers what arrives for each account, and writes it together: anybody may send here, and so a notification that is refused costs the
 * database nothing by itself. What a crash takes along, the next notification shows again.
 */
export function createArrivalNotes(database: Queries) {
  const noted = new Map<string, Noted>()
  const noteOf = (gatewayId: string): Noted => {
    const note = noted.get(gatewayId) ?? { heard: false, newestOf: null, refused: 0, why: null }
    noted.set(gatewayId, note)
    return note
  }
  return {
    /** One was proved; `newestOf` is given where it was by the newest secrets, and says when those were changed. */
    heard(gatewayId: string, newestOf: Date | null): void {
      const note = noteOf(gatewayId)
      note.heard = true
      note.newestOf = newestOf ?? note.newestOf
    },
    refused(gatewayId: string, why: string): void {
      const note = noteOf(gatewayId)
      note.refused += 1
      note.why = why
    },
    write: async (): Promise<void> => {
      // Each is taken out by itself: where the database fails, the others are written by the next run.
      for (const [gatewayId, { heard, newestOf, refused, why }] of [...noted]) {
        noted.delete(gatewayId)
        await database.run(updateArrival, { gateway_id: gatewayId, heard, newest_of: newestOf, refused, why })
      }
    },
  }
}

/** How notifications of an account arrive; null if nothing was set up for it. */
export async function findArrival(
  database: Queries,
  gatewayId: string,
): Promise<(Arrival & { changedAt: Date }) | null> {
  const [row] = await database.run(selectArrival, { gateway_id: gatewayId })
  if (row === undefined) return null
  const { heard_at: heardAt, newest_heard_at: newestHeardAt, changed_at: changedAt } = row
  const { refused_at: at, refused_why: why, refused_count: count } = row
  return { heardAt, newestHeardAt, changedAt, refused: at === null ? null : { at, count, why: why ?? '' } }
}

/**
 * Accounts of a merchant that took a payment more than a day ago and have sent nothing since, though a gateway tells of every payment. `at`:
 * when that payment was made. `ids`: the merchant's accounts that can send notifications.
 */
export function findSilent(
  database: Database,
  merchantId: string,
  ids: readonly string[],
): Promise<{ id: string; name: string; at: Date }[]> {
  return database.run(selectSilent, { merchant_id: merchantId, ids: [...ids] })
}

/** How many of an account's notifications wait, contradict a charge, and can't be read: each counted up to 1,000. */
export async function countOpen(
  database: Queries,
  merchantId: string,
  gatewayId: string,
): Promise<{ waiting: number; unexplained: number; notUnderstood: number }> {
  const [row] = await database.run(countNotDone, { merchant_id: merchantId, gateway_id: gatewayId })
  const { waiting = 0, unexplained = 0, not_understood: notUnderstood = 0 } = row ?? {}
  return { waiting, unexplained, notUnderstood }
}

/** Another process may still have secrets from before the last change: what those prove is not proved by the newest. */
const updateArrival = statement({
  name: 'note_arrival',
  values: {
    gateway_id: text,
    heard: bool,
    newest_of: nullable(timestamptz),
    refused: bigint,
    why: nullable(text),
  },
  columns: {},
  sql: `
    UPDATE gateway_notification_secrets SET heard_at = CASE WHEN :heard THEN now() ELSE heard_at END,
      newest_heard_at = CASE WHEN :newest_of = changed_at THEN now() ELSE newest_heard_at END,
      refused_count = refused_count + :refused, refused_at = CASE WHEN :refused > 0 THEN now() ELSE refused_at END,
      refused_why = coalesce(:why, refused_why)
    WHERE gateway_id = :gateway_id`,
})

const selectArrival = statement({
  name: 'see_arrival',
  values: { gateway_id: text },
  columns: {
    changed_at: timestamptz,
    heard_at: nullable(timestamptz),
    newest_heard_at: nullable(timestamptz),
    refused_at: nullable(timestamptz),
    refused_why: nullable(text),
    refused_count: bigint,
  },
  sql: `
    SELECT changed_at, heard_at, newest_heard_at, refused_at, refused_why, refused_count
    FROM gateway_notification_secrets WHERE gateway_id = :gateway_id`,
})

/** Each account by one look into the index of its charges: the latest payment that is a day old. */
const selectSilent = statement({
  name: 'find_silent_gateways',
  values: { merchant_id: text, ids: arrayOf(text) },
  columns: { id: text, name: text, at: timestamptz },
  sql: `
    SELECT g.id, g.name, paid.created_at AS at
    FROM gateways g LEFT JOIN gateway_notification_secrets s ON s.gateway_id = g.id
    CROSS JOIN LATERAL (
      SELECT created_at FROM charges
      WHERE merchant_id = :merchant_id AND gateway_id = g.id AND status <> 'failed'
        AND created_at < now() - interval '1 day' AND created_at > now() - interval '30 days'
      ORDER BY created_at DESC LIMIT 1
    ) paid
    WHERE g.merchant_id = :merchant_id AND g.id = ANY (:ids) AND (s.heard_at IS NULL OR s.heard_at < paid.created_at)
    ORDER BY paid.created_at`,
})

const countNotDone = statement({
  name: 'count_open_notifications',
  values: { merchant_id: text, gateway_id: text },
  columns: { waiting: bigint, unexplained: bigint, not_understood: bigint },
  sql: `
    SELECT (SELECT count(*) FROM (
        SELECT FROM gateway_notifications WHERE state = 'waiting' AND gateway_id = :gateway_id LIMIT 1000
      ) w) AS waiting,
      count(*) FILTER (WHERE state = 'unexplained') AS unexplained,
      count(*) FILTER (WHERE state = 'not_understood') AS not_understood
    FROM (
      SELECT state FROM gateway_notifications
      WHERE merchant_id = :merchant_id AND gateway_id = :gateway_id AND state IN ('not_understood', 'unexplained')
      LIMIT 2000
    ) seen`,
})
