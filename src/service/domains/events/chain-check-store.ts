import type { Database } from '../../platform/database/database.ts'
import { bigint, bytea, float8, nullable, timestamptz } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import type { ChainHead } from './chain.ts'

/** Longer than a step takes; then another process may take over from one that has ended. */
const LEASE = "interval '10 seconds'"

/** One process at a time makes the next step. */
const takeStep = statement({
  name: 'take_chain_check',
  values: {},
  columns: { length: bigint, hash: bytea, verified_length: bigint, verified_hash: bytea },
  sql: `
    UPDATE event_chain_check SET due_at = now() + ${LEASE} WHERE name = 'events' AND due_at <= now()
    RETURNING length, hash, verified_length, verified_hash`,
})
const placeTypes = { from: bigint, length: bigint, hash: bytea, pause_seconds: float8 }
const PLACE = "length = :length, hash = :hash, due_at = now() + :pause_seconds * interval '1 second'"
/** A step that another process made in the meantime wins. */
const IF_SAME = "name = 'events' AND length = :from"

const goOn = statement({
  name: 'go_on_checking_chain',
  values: placeTypes,
  columns: {},
  sql: `UPDATE event_chain_check SET ${PLACE} WHERE ${IF_SAME}`,
})
const noteIntact = statement({
  name: 'note_intact_chain',
  values: { ...placeTypes, verified_length: bigint, verified_hash: bytea },
  columns: {},
  sql: `
    UPDATE event_chain_check SET ${PLACE}, verified_length = :verified_length, verified_hash = :verified_hash,
      verified_at = now(), broken_at = NULL WHERE ${IF_SAME}`,
})
const noteBroken = statement({
  name: 'note_broken_chain',
  values: { ...placeTypes, broken_at: bigint },
  columns: {},
  sql: `UPDATE event_chain_check SET ${PLACE}, broken_at = :broken_at WHERE ${IF_SAME}`,
})
const readState = statement({
  name: 'read_chain_check',
  values: {},
  columns: {
    length: bigint,
    verified_length: bigint,
    verified_at: nullable(timestamptz),
    broken_at: nullable(bigint),
  },
  sql: `
    SELECT h.length, c.verified_length, c.verified_at, c.broken_at
    FROM event_chain h JOIN event_chain_check c ON c.name = h.name WHERE h.name = 'events'`,
})

/** What the checks of the chain have found. */
export interface ChainState {
  /** How many events are sealed. */
  length: number
  /** Length of the chain that the last complete check has found intact; 0 before the first has ended. */
  verifiedLength: number
  verifiedAt: Date | null
  /** The first place that was not as it was sealed, until a whole check finds nothing; null where there is none. */
  brokenAt: number | null
}

/** How far the chain is verified, in SQL. A round of checks is made in steps, each by whichever process is there. */
export interface ChainCheckStore {
  /** Where the next step begins, and where the chain ended when a round last did; null while it is not due. */
  takeStep: () => Promise<{ from: ChainHead; noted: ChainHead | null } | null>
  goOn: (from: ChainHead, place: ChainHead) => Promise<void>
  /** The round has ended at `end`; the next begins at `beginning` after a pause. */
  intact: (from: ChainHead, end: ChainHead, next: NextRound) => Promise<void>
  broken: (from: ChainHead, brokenAt: number, next: NextRound) => Promise<void>
  state: () => Promise<ChainState>
}

interface NextRound {
  beginning: ChainHead
  pauseSeconds: number
}

export function createChainCheckStore(database: Database): ChainCheckStore {
  const toPlace = (from: ChainHead, { beginning, pauseSeconds }: NextRound) => ({
    from: from.length,
    ...beginning,
    pause_seconds: pauseSeconds,
  })
  return {
    async takeStep() {
      const [row] = await database.run(takeStep, {})
      if (row === undefined) return null
      const { length, hash, verified_length: verifiedLength, verified_hash: verifiedHash } = row
      const noted = verifiedLength === 0 ? null : { length: verifiedLength, hash: verifiedHash }
      return { from: { length, hash }, noted }
    },
    async goOn(from, place) {
      await database.run(goOn, toPlace(from, { beginning: place, pauseSeconds: 0 }))
    },
    async intact(from, end, next) {
      const verified = { verified_length: end.length, verified_hash: end.hash }
      await database.run(noteIntact, { ...toPlace(from, next), ...verified })
    },
    async broken(from, brokenAt, next) {
      await database.run(noteBroken, { ...toPlace(from, next), broken_at: brokenAt })
    },
    async state() {
      const [row] = await database.run(readState, {})
      if (row === undefined)
        throw new Error('the head of the audit log is gone, or what is known of its checks')
      const { length, verified_length: verifiedLength } = row
      return { length, verifiedLength, verifiedAt: row.verified_at, brokenAt: row.broken_at }
    },
  }
}
