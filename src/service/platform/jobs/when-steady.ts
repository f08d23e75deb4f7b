import type { DatabaseClock } from '../database/database-clock.ts'

/** Longer than a movement takes at its gateway: those that began before the clock's step have ended. */
export const MOVEMENTS_ENDED_MS = 10_000

/** A wrong clock is corrected within this time, or is assumed to be right. */
export const PUT_RIGHT_MS = 600_000

type WatchedClock = Pick<DatabaseClock, 'refresh' | 'msSinceStep'>

/** Whether the database's clock, by which something is due, can be trusted. */
export type IsClockSteady = () => Promise<boolean>

/**
 * Whether the database's clock has not stepped for `steadyMs`: what is ended by a wrong clock can't be brought back. It reads the clock,
 * so ask right before the work, or between finding what is due and doing it.
 */
export async function isSteady(clock: WatchedClock, steadyMs: number): Promise<boolean> {
  await clock.refresh()
  return clock.msSinceStep() >= steadyMs
}

/** The same work, left out while the database's clock is not steady. */
export function whenSteady<Result>(
  clock: WatchedClock,
  steadyMs: number,
  work: () => Promise<Result>,
): () => Promise<Result | undefined> {
  return async () => ((await isSteady(clock, steadyMs)) ? work() : undefined)
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
