import { digitsOf } from './digits.ts'
import { SHORTEST_NUMBER } from './number.ts'
import type { Verdict } from './verdict.ts'

/** Characters of a name that the service takes. */
export const LONGEST_NAME = 100

/**
 * Judges the name on a card. What holds as many digits as a card number is not a name: it must not be kept
 * where names are kept.
 */
export function holderNameVerdict(name: string): Verdict {
  const trimmed = name.trim()
  if (trimmed === '') return 'incomplete'
  return trimmed.length > LONGEST_NAME || digitsOf(trimmed).length >= SHORTEST_NUMBER ? 'invalid' : 'valid'
}
