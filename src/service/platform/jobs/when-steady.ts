import type { DatabaseClock } from '../database/database-clock.ts'

/** Longer than a movement takes at its gateway: those that began before the clock's step have ended. */
export const MOVEMENTS_ENDED_MS = 10_000

/** A clock that was set wrong is put right within this, or else it was wrong before. */
export const PUT_RIGHT_MS = 600_000

/**
 * The same work, left out while the database's clock has stepped less than `steadyMs` ago: what has come to its end by a
 * wrong clock could not be brought back. The clock is read right before the work, so that no step goes unseen.
 */
export function whenSteady<Result>(
  clock: Pick<DatabaseClock, 'refresh' | 'msSinceStep'>,
  steadyMs: number,
  work: () => Promise<Result>,
): () => Promise<Result | undefined> {
  return async () => {
    await clock.refresh()
    return clock.msSinceStep() < steadyMs ? undefined : work()
  }
}

/** Work for the first run, and for each time that the database's clock was set back since. */
export function whenSetBack(
  clock: Pick<DatabaseClock, 'setBackMs'>,
  work: () => Promise<unknown>,
): () => Promise<unknown> {
  let knownMs: number | undefined
  return async () => {
    const setBackMs = clock.setBackMs()
    if (setBackMs === knownMs) return
    await work()
    knownMs = setBackMs
  }
}
