import { batchColumns, batchOf } from '../../../platform/jobs/batches.ts'
import { statement } from '../../../platform/database/statement.ts'
import { RELEASE_PAUSE, UNDER_WAY, afterFailedRelease } from './release-from.ts'
import { ENDED_HOLDS } from './unfinished-sql.ts'

/** Holds whose time is over and that have no `release_from` yet, as SQL for after `FROM`; the index `charges_held` finds them. */
export const UNNOTED_HOLDS =
  "charges WHERE status = 'pending' AND release_from IS NULL AND hold_expires_at <= now()"

/**
 * Writes `release_from` of holds whose time is over: each may be released at once, unless an attempt has no outcome yet, or a build before
 * step 064 has failed to release it and a pause has to pass.
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
 * Lets holds be released at once that would wait for longer than any pause: the database's clock was set back, or a build before step 064
 * has recorded an outcome and left `infinity`. The extra minute leaves alone a pause that begins meanwhile, so after this statement's `now()`.
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
