import { batchColumns, batchOf } from '../../../platform/jobs/batch-rows.ts'
import { statement } from '../../../platform/database/statement.ts'
import { RELEASE_PAUSE, UNDER_WAY, afterFailedRelease } from './release-from.ts'
import { ENDED_HOLDS } from './unfinished-sql.ts'

/** Holds whose time is over without that it was noted, as what stands after `FROM`; by their index, the longest over first. */
export const UNNOTED_HOLDS =
  "charges WHERE status = 'pending' AND release_from IS NULL AND hold_expires_at <= now()"

/**
 * Notes of holds that their time is over, and from when each may be released: at once, unless something is under way, or a build before step
 * 064 has tried it.
 */
export const noteEndedHolds = statement({
  name: 'note_ended_holds',
  values: {},
  columns: batchColumns,
  sql: batchOf({
    change: `
      UPDATE charges SET release_from =
        CASE WHEN open_attempt_id IS NULL THEN coalesce(${afterFailedRelease('updated_at')}, hold_expires_at) ELSE ${UNDER_WAY} END`,
    found: UNNOTED_HOLDS,
    order: 'hold_expires_at',
    key: 'id',
  }),
})

/**
 * Holds that would be released later than any pause allows, as the database's clock was set back, or as a build before step 064 has
 * recorded what became of a release. They may be released at once. The minute is for a release that ends meanwhile.
 */
export const bringReleasesForward = statement({
  name: 'bring_releases_forward',
  values: {},
  columns: batchColumns,
  sql: batchOf({
    change: 'UPDATE charges SET release_from = hold_expires_at',
    found: `${ENDED_HOLDS.table} WHERE ${ENDED_HOLDS.waits} AND open_attempt_id IS NULL
            AND release_from > greatest(hold_expires_at, now() + ${RELEASE_PAUSE} + interval '1 minute')`,
    order: 'gateway_id, release_from',
    key: 'id',
  }),
})
