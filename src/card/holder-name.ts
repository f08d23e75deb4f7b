import type { Verdict } from './verdict.ts'

/** Characters of a name that the service takes. */
export const LONGEST_NAME = 100
const SHORTEST_CARD_NUMBER = 12
const anyDigit = /\p{Nd}/gu

/**
 * Judges the name on a card. What holds as many digits as a card number is not a name: it must not be kept
 * where names are kept.
 */
export function holderNameVerdict(name: string): Verdict {
  const trimmed = name.trim()
  if (trimmed === '') return 'incomplete'
  const digits = trimmed.match(anyDigit)?.length ?? 0
  return trimmed.length > LONGEST_NAME || digits >= SHORTEST_CARD_NUMBER ? 'invalid' : 'valid'
}
