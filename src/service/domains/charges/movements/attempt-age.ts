/** What is known of the database's clock's steps while this process has been running, in ms. */
export interface ClockSteps {
  msSinceStep: () => number
  setBackMs: () => number
}

/**
 * Between what the age of an attempt is, that seems so old by the database's clock, in ms: older by what that clock was set
 * back, and where it seems to be older than the last step, only surely as old as that.
 */
export function attemptAge(
  seemsMs: number,
  { msSinceStep, setBackMs }: ClockSteps,
): { leastAgeMs: number; ageMs: number } {
  return { leastAgeMs: Math.min(seemsMs, msSinceStep()), ageMs: seemsMs + setBackMs() }
}
