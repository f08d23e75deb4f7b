/** What is known of the database's clock's steps while this process has been running, in ms. */
export interface ClockSteps {
  msSinceStep: () => number
  setBackMs: () => number
}

/**
 * The least and the greatest age that an attempt can have, in ms, from its age by the database's clock (`seemsMs`). If that
 * clock was set back, the attempt may be older by as much. From before the clock's last step nothing is certain, so the least
 * age is the time since then.
 */
export function attemptAge(
  seemsMs: number,
  { msSinceStep, setBackMs }: ClockSteps,
): { minAgeMs: number; ageMs: number } {
  return { minAgeMs: Math.min(seemsMs, msSinceStep()), ageMs: seemsMs + setBackMs() }
}
