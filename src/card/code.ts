import { cvv } from 'card-validator/dist/cvv.js'
import type { Scheme } from './scheme.ts'
import type { Verdict } from './verdict.ts'

/** Judges a card's code: as many digits as its scheme prints; 3 or 4 while the scheme is unknown. */
export function codeVerdict(code: string, scheme: Scheme | null): Verdict {
  const { isValid, isPotentiallyValid } = cvv(code, scheme === null ? [3, 4] : scheme.codeLength)
  if (isValid) return 'valid'
  return isPotentiallyValid ? 'incomplete' : 'invalid'
}
