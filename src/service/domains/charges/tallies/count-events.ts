import type { Database } from '../../../platform/database/database.ts'
import { countEvents, readProgress, seeUncounted } from './tally-sql.ts'

/** Events that are counted in one statement, and statements of one run of the job. */
const BATCH = 2000
const MAX_BATCHES = 100

/** Up to which sealed event the tallies count. */
export async function countedTo(database: Database): Promise<number> {
  const [progress] = await database.run(readProgress, {})
  if (progress === undefined) throw new Error('the row of charge_tally_progress was deleted')
  return progress.seq
}

/**
 * Counts what was sealed since, in the order of the chain. Any number of processes may do this at once, and any may be killed: each
 * event is counted once. `sealedLength`: how many events the chain has.
 */
export async function countNewEvents(database: Database, sealedLength: () => Promise<number>): Promise<void> {
  const [seen] = await database.run(seeUncounted, {})
  if (seen?.is_behind !== true) return
  const length = await sealedLength()
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const from = await countedTo(database)
    const to = Math.min(from + BATCH, length)
    if (to <= from) return
    const isMine = (await database.run(countEvents, { from_seq: from, to_seq: to })).length > 0
    if (!isMine) return
  }
}

/** Deletes all counts, so that running services count again from the start; the order of the statements shuts out a count under way. */
export async function recountFromNothing(database: Database): Promise<void> {
  await database.transaction(async (queries) => {
    await queries.script("UPDATE charge_tally_progress SET seq = 0 WHERE name = 'charges'")
    await queries.script('DELETE FROM charge_tallies; DELETE FROM charge_declines')
  })
}
