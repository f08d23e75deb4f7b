/** How long a call is tried. */
export interface RetryLimits {
  /** How often it is sent at the most. */
  tries: number
  /** ms for one try, until the whole answer is there. */
  tryTimeoutMs: number
  /** ms for all tries and the waits between them. */
  deadlineMs: number
}

/** Limits that differ from the defaults. */
export type GivenLimits = { [Name in keyof RetryLimits]?: RetryLimits[Name] | undefined }

/** A gateway may take 10 s, and the service asks it once more after an unknown outcome. */
const USUAL: RetryLimits = { tries: 5, tryTimeoutMs: 30_000, deadlineMs: 90_000 }
/** A day: timers that run for more than 24 days end at once. */
const MAX = 24 * 60 * 60 * 1000

/**
 * The limits that are given, and the usual ones in place of those that are not. Throws a `TypeError` for a name that is none, and for
 * a value by which a call would never be tried, or without end.
 */
export function checkedLimits(given: GivenLimits = {}): RetryLimits {
  const limits = { ...USUAL }
  for (const [name, value] of Object.entries(given)) {
    if (!isLimit(name))
      throw new TypeError(`There is no retries.${name}, but: ${Object.keys(USUAL).join(', ')}.`)
    if (value !== undefined) limits[name] = checkedLimit(name, value)
  }
  return limits
}

function isLimit(name: string): name is keyof RetryLimits {
  return Object.hasOwn(USUAL, name)
}

function checkedLimit(name: keyof RetryLimits, value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX) return value
  throw new TypeError(`retries.${name} must be a whole number, 1 to ${String(MAX)}.`)
}
