import type { Scheme } from './scheme.ts'
import type { Verdict } from './verdict.ts'

/** Judges a card's code: as many digits as its scheme prints, or none where some of its cards have none; 3 or 4 while the scheme is unknown. */
export function codeVerdict(code: string, scheme: Scheme | null): Verdict {
  if (code === '' && scheme?.isCodeOptional === true) return 'valid'
  const min = scheme?.codeLength ?? 3
  const max = scheme?.codeLength ?? 4
  if (/\D/.test(code) || code.length > max) return 'invalid'
  return code.length < min ? 'incomplete' : 'valid'
}
